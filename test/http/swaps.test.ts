// Swaps of names in one apply: grants, records and values follow the components, and a rollback brings them back.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { signIn } from '../support/billing-org.ts'
import { runningServer, type Ask, type TestServer } from '../support/running-server.ts'
import { administrator } from '../support/small-org.ts'

let test: TestServer
beforeAll(async () => (test = await runningServer()))
afterAll(() => test.close())

const text = { type: 'text' }
const object = (key: string, ...fields: string[]) => ({
  ...{ type: 'object', key, label: 'Note' },
  body: { fields: ['name', ...fields].map((field) => ({ key: field, ...text })), nameField: 'name' },
})
const set = (key: string) => ({
  ...{ type: 'config_set', key, label: 'Rate' },
  body: {
    ...{ cardinality: 'singleton', scopes: ['org'], ...administrator },
    fields: [{ key: 'v', type: 'text', required: true }],
  },
})
const entry = (of: string, v: string) => ({
  ...{ type: 'config_entry', key: `${of}.all`, label: 'All' },
  body: { set: of, scope: { kind: 'org' }, values: { v } },
})
const full = { create: true, read: true, update: true, delete: true, viewAll: true, modifyAll: true }
const none = { create: false, read: false, update: false, delete: false, viewAll: false, modifyAll: false }
const allowing = (key: string, objects: object, fields: object) => ({
  ...{ type: 'permission_set', key, label: key },
  body: { objects, fields },
})
const from = <T extends object>(component: T, renamedFrom: string) => ({ ...component, renamedFrom })

interface Applied {
  generation: number
  changes: { id: string; kind: string }[]
}

async function sent<T>(method: string, path: string, body?: object): Promise<T> {
  const answer = await test.studio<T>(method, path, body)
  if (answer.status >= 300) throw new Error(answer.text)
  return answer.body
}

const apply = (components: object[]) =>
  sent<Applied>('POST', '/metadata/v3/apply', { components, rationale: 'test' })
const rollback = (generation: number) =>
  sent('POST', '/metadata/v3/rollback', { generation, rationale: 'back' })
const bodyOf = async (id: string) =>
  (
    await sent<{ component: { body: Record<string, Record<string, object>> } }>(
      'GET',
      `/metadata/v3/components/${id}`,
    )
  ).component.body

it('swapped objects leave each permission set with its rights on the same objects and fields', async () => {
  const edit = { read: true, edit: true }
  const read = { read: true, edit: false }
  const first = allowing(
    'first',
    { h1: full, h2: { ...none, read: true } },
    { 'h1.name': edit, 'h1.p': edit, 'h2.name': read },
  )
  const second = allowing(
    'second',
    { h1: { ...none, read: true }, h2: full },
    { 'h1.name': read, 'h2.name': edit },
  )
  const { generation } = await apply([object('h1', 'p'), object('h2', 'q'), first, second])
  await apply([from(object('h2', 'p'), 'h1'), from(object('h1', 'q'), 'h2')])
  expect([await bodyOf('permission_set/first'), await bodyOf('permission_set/second')]).toMatchObject([
    {
      objects: { h2: full, h1: { ...none, read: true } },
      fields: { 'h2.name': edit, 'h2.p': edit, 'h1.name': read },
    },
    { objects: { h2: { ...none, read: true }, h1: full }, fields: { 'h2.name': read, 'h1.name': edit } },
  ])
  await rollback(generation)
  expect(await bodyOf('permission_set/first')).toEqual(expect.objectContaining(first.body))
})

it('swapped objects that differ only in their keys keep their own records', async () => {
  const rights = { 'm1.name': { read: true, edit: true }, 'm2.name': { read: true, edit: true } }
  await apply([object('m1'), object('m2'), allowing('notes', { m1: full, m2: full }, rights)])
  const { eve } = (await signIn(test, [{ key: 'eve', permissionSets: ['notes'] }])) as { eve: Ask }
  const { id } = (await eve<{ id: string }>('POST', '/data/v3/m1', { name: 'first' })).body
  // A client has used the names, which mean other objects now.
  const swap = [from(object('m2'), 'm1'), from(object('m1'), 'm2')]
  const swapped = () => apply(swap.map((each) => ({ ...each, breaking: true })))
  const { changes } = await swapped()
  expect(changes.filter(({ kind }) => kind === 'renamed').map((each) => each.id)).toEqual([
    'object/m1',
    'object/m2',
  ])
  const found = async (key: string) => (await eve('GET', `/data/v3/${key}/${id}`)).status
  expect([await found('m1'), await found('m2')]).toEqual([404, 200])
  await swapped()
  expect([await found('m1'), await found('m2')]).toEqual([200, 404])
})

describe('sets that differ only in their keys', () => {
  const value = async (key: string) => {
    const request = { expression: `config.${key}.v` }
    return (await sent<{ value: string }>('POST', '/setup/v3/evaluate', request)).value
  }
  const values = async () => [await value('y3'), await value('y4'), await value('y5')]
  const cycle = [from(set('y4'), 'y3'), from(set('y5'), 'y4'), from(set('y3'), 'y5')]
  const [before, after] = [
    ['"1"', '"2"', '"3"'],
    ['"3"', '"1"', '"2"'],
  ]
  beforeAll(() => apply(['y3', 'y4', 'y5'].flatMap((key, at) => [set(key), entry(key, String(at + 1))])))

  it('change places with their entries, and a rollback brings them back', async () => {
    const { changes, generation } = await apply(cycle)
    expect(changes.map(({ kind }) => kind)).toEqual(Array(6).fill('renamed'))
    expect(await values()).toEqual(after)
    await rollback(generation - 1)
    expect(await values()).toEqual(before)
  })

  it('change places among drafts, and a revert brings them back', async () => {
    for (const each of cycle) {
      const draft = { text: JSON.stringify(each), version: 0 }
      await sent('PUT', `/setup/v3/drafts/config_set/${each.key}`, draft)
    }
    const { generation } = await sent<Applied>('POST', '/metadata/v3/apply', {
      drafts: true,
      rationale: 'test',
    })
    expect(await values()).toEqual(after)
    await sent('POST', '/metadata/v3/revert', { generation, rationale: 'back' })
    expect(await values()).toEqual(before)
  })
})

it('an explanation of a stored value names what is called differently, and nothing else', async () => {
  const stored = (key: string, expression: string, more: object) => ({
    ...{ key, formula: { expression, stored: true } },
    ...more,
  })
  const number = { type: 'number', precision: 9, scale: 0 }
  const twice = (key: string, factor: string) => ({
    ...{ type: 'calc_function', key, label: 'Function' },
    body: { params: [{ key: 'x', type: 'number' }], returns: 'number', expression: `x * ${factor}` },
  })
  const child = {
    ...{ type: 'object', key: 'z1', label: 'Child' },
    body: {
      fields: [
        { key: 'n', ...number },
        { key: 'up', type: 'reference', references: 'z2' },
        stored('c', 'config.z1.v + "!"', text),
        stored('d', 'f1(n)', number),
      ],
    },
  }
  const filter = 'config.z1.v == "1"'
  const parent = {
    ...{ type: 'object', key: 'z2', label: 'Parent' },
    body: { fields: [{ key: 'k', ...number, rollup: { child: 'z1', via: 'up', op: 'count', filter } }] },
  }
  const rights = Object.fromEntries(
    ['z1.n', 'z1.up', 'z1.c', 'z1.d', 'z2.k'].map((key) => [
      key,
      { read: true, edit: ['z1.n', 'z1.up'].includes(key) },
    ]),
  )
  await apply([
    ...[set('z1'), set('z2'), entry('z1', '1'), entry('z2', '2'), twice('f1', '2'), twice('f2', '3')],
    ...[child, parent, allowing('kin', { z1: full, z2: full }, rights)],
  ])
  const users = [{ key: 'kim', permissionSets: ['kin', 'administrator'] }]
  const { kim } = (await signIn(test, users)) as { kim: Ask }
  const add = async (key: string, fields: object) =>
    (await kim<{ id: string }>('POST', `/data/v3/${key}`, fields)).body.id
  const up = await add('z2', {})
  const id = await add('z1', { n: '1', up })
  const { generation } = await apply([
    ...[
      from(set('z2'), 'z1'),
      from(set('z1'), 'z2'),
      from(twice('f2', '2'), 'f1'),
      from(twice('f1', '3'), 'f2'),
    ],
    { ...child, key: 'z3', renamedFrom: 'z1', body: { fields: child.body.fields }, breaking: true },
  ])
  const reasons = async (path: string) =>
    (await kim<{ reasons: string[] }>('GET', `/data/v3/${path}`)).body.reasons
  const called = (earlier: string, now: string) => [
    `${earlier} has been called ${now} since generation ${generation}, by admin.`,
  ]
  expect(await reasons(`z3/${id}/values/c`)).toEqual(called('z1', 'z2'))
  expect(await reasons(`z3/${id}/values/d`)).toEqual(called('f1', 'f2'))
  expect(await reasons(`z2/${up}/values/k`)).toEqual(called('z1', 'z2'))
})
