// A stored result follows what it reads through renames that a rollback undoes and redoes.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { enginesOf, type Engines } from '../compose/engines.ts'
import { initOrg, type OpenedOrg } from '../compose/open-org.ts'

let folder: string
let org: OpenedOrg
let engines: Engines

const by = { actor: 'admin', correlationId: 't' }
const set = (key: string) => ({
  type: 'config_set',
  key,
  label: key,
  body: {
    cardinality: 'singleton',
    scopes: ['app', 'org'],
    fields: [{ key: 'v', type: 'number', precision: 6, scale: 0, required: true }],
    read: { administrator: 'read' },
    edit: { administrator: 'edit' },
  },
})
const entry = (owner: string, v: string, scope: object = { kind: 'org' }) => ({
  type: 'config_entry',
  key: `${owner}.${'app' in scope ? 'narrow' : 'all'}`,
  label: 'All',
  body: { set: owner, scope, values: { v } },
})
const apply = (components: unknown[], ...removals: string[]) =>
  org.apply({ source: { kind: 'components', components, removals: removals as never[] }, actor: 'admin' })
const back = (generation: number) => org.rollback(generation, { actor: 'admin' })
const storeResult = async (expression: string, scope?: object) =>
  (
    await engines.evaluation.evaluate(by, {
      expression,
      store: 'R',
      ...(scope === undefined ? {} : { scope }),
    })
  ).resultId!
const today = async (resultId: string) => (await engines.evaluation.recompute(by, { resultId })).value
const gone = expect.objectContaining({ code: 'config.unknown_set' }) as Error

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'almanac-lineage-'))
  org = initOrg(folder, { name: 'T', environment: 'dev' })
  engines = enginesOf(org)
  await apply([set('rate'), entry('rate', '1')])
})
afterEach(async () => {
  await org.close()
  rmSync(folder, { recursive: true, force: true })
})

it('a rollback to before a rename restores the earlier name', async () => {
  const first = await storeResult('config.rate.v')
  await apply([{ ...set('rate2'), renamedFrom: 'rate' }])
  const second = await storeResult('config.rate2.v')
  const { changes } = await back(2)
  expect([...changes].map(({ change }) => `${change.kind} ${change.id}`)).toEqual([
    'renamed config_set/rate',
    'renamed config_entry/rate.all',
  ])
  expect([await today(first), await today(second)]).toEqual(['"1"', '"1"'])
  await back(3)
  expect(org.pin().view.has('config_set', 'rate2')).toBe(true)
  expect([await today(first), await today(second)]).toEqual(['"1"', '"1"'])
})

it('another set that had the name in the meantime is removed, and none of its entries applies', async () => {
  const first = await storeResult('config.rate.v')
  await apply([{ ...set('rate2'), renamedFrom: 'rate' }])
  await apply([set('rate'), entry('rate', '7')])
  const other = await storeResult('config.rate.v')
  const { changes } = await back(2)
  expect([...changes].map(({ change }) => `${change.kind} ${change.id}`)).toEqual([
    'removed config_set/rate',
    'renamed config_set/rate',
    'removed config_entry/rate.all',
    'renamed config_entry/rate.all',
  ])
  expect(await today(first)).toBe('"1"')
  await expect(today(other)).rejects.toThrow(gone)
  // Redone, the new set is restored unchanged.
  await back(4)
  expect(await today(first)).toBe('"1"')
  expect(await today(await storeResult('config.rate.v'))).toBe('"7"')
  expect(
    org.store.read((reader) => reader.search.find('rate2', { limit: 5 })).hits.map(({ id }) => id),
  ).toContain('config_set/rate2')
})

it('a removed set is not mistaken for a new set with its first name', async () => {
  const first = await storeResult('config.rate.v')
  await apply([{ ...set('rate2'), renamedFrom: 'rate' }])
  await apply([set('rate'), entry('rate', '7')])
  await apply([], 'config_entry/rate2.all', 'config_set/rate2')
  await expect(today(first)).rejects.toThrow(gone)
})

it('an app that was renamed is still the app of the query', async () => {
  const app = {
    type: 'app',
    key: 'shop',
    label: 'Shop',
    body: { objects: [], pages: [], flows: [], order: 1 },
  }
  await apply([app, entry('rate', '5', { kind: 'app', app: 'shop' })])
  const inShop = await storeResult('config.rate.v', { app: 'shop' })
  expect(await today(inShop)).toBe('"5"')
  await apply([{ ...app, key: 'store', renamedFrom: 'shop' }])
  expect(await today(inShop)).toBe('"5"')
})
