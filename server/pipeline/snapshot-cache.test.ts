// Slices that follow change after change equal slices that are built from scratch.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { componentDigest, nobleSha256, setDigest } from '#kernel/change/index.ts'
import type { Component } from '#kernel/components/body-types.ts'
import type { ComponentId } from '#kernel/components/component.ts'
import { buildSetSlice } from '#kernel/config/index.ts'
import { initOrg } from '../compose/open-org.ts'
import type { Org } from './org.ts'
import { definitionOf } from './touched-sets.ts'

let folder: string
let org: Org
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'almanac-snapshots-'))
  org = initOrg(folder, { name: 'T', environment: 'dev' })
})
afterEach(async () => {
  await org.close()
  rmSync(folder, { recursive: true, force: true })
})

const edit = { administrator: 'edit' }
const set = (key: string, label: string): object => ({
  type: 'config_set',
  key,
  label,
  body: {
    cardinality: 'keyed',
    keyedBy: { key: 'name', type: 'text' },
    scopes: ['environment', 'org'],
    edit,
    fields: [{ key: 'amount', type: 'number', precision: 12, scale: 2 }],
  },
})
const flag = (byDefault: boolean, label = 'Beta'): object => ({
  type: 'feature_flag',
  key: 'beta',
  label,
  body: {
    owner: 'user:admin',
    expiresOn: '2099-12-31',
    scopes: ['environment', 'org'],
    default: byDefault,
    edit,
  },
})
const row = (of: string, name: string, environment: string | null, values: object): object => ({
  type: 'config_entry',
  key: `${of}.${name}_${environment ?? 'org'}`,
  label: name,
  body: {
    set: of,
    ...(of === 'beta' ? {} : { key: name }),
    scope: environment === null ? { kind: 'org' } : { kind: 'environment', environment },
    values,
  },
})

const apply = (components: object[], removals: ComponentId[] = []): Promise<unknown> =>
  org.apply({ source: { kind: 'components', components, removals }, actor: 'admin' })

function expectWhole(): void {
  const { view, slice } = org.pin()
  for (const key of ['fee', 'tax', 'beta']) {
    const definition = definitionOf(view, key)!
    const entries = [...view.entriesOf(key)].sort((a, b) => (a.key < b.key ? -1 : 1))
    const digests = entries.map((each) => componentDigest(each, nobleSha256))
    const digest = setDigest(componentDigest(definition as Component, nobleSha256), digests, nobleSha256)
    const anew = buildSetSlice(definition, entries, digest)
    const warm = slice.sets.get(key)!
    expect(warm.digest).toBe(digest)
    expect(warm.bytes).toBe(anew.bytes)
    expect(warm.rowsByKey.size).toBe(anew.rowsByKey.size)
    for (const each of ['', ...entries.map((entry) => entry.body.key ?? '')])
      expect(warm.rowsByKey.get(each)).toEqual(anew.rowsByKey.get(each))
    expect(org.store.read((reader) => reader.sets.summary(org.activeGeneration(), key))).toMatchObject({
      bytes: anew.bytes,
    })
  }
  const sum = [...slice.sets.values()].reduce((bytes, each) => bytes + each.bytes, 0)
  expect(slice.bytes).toBe(sum)
}

describe('slices', () => {
  it('are complete after every step of a random walk', async () => {
    await org.materialise()
    const names = Array.from({ length: 6 }, (_, index) => `k${index}`)
    const start = [
      ...names.map((name) => row('fee', name, null, { amount: '1' })),
      row('tax', 'k0', null, { amount: '1' }),
    ]
    await apply([set('fee', 'Fee'), set('tax', 'Tax'), flag(false), ...start])
    expectWhole()
    const step = fc.record({
      of: fc.constantFrom('fee', 'tax', 'beta'),
      name: fc.constantFrom(...names),
      environment: fc.constantFrom('dev', 'prod'),
      amount: fc.constantFrom('1', '22', '333.33'),
      act: fc.constantFrom('put', 'put', 'remove', 'define'),
    })
    const walk = fc.sample(step, { numRuns: 120, seed: 7 })
    for (const [at, { of, name, environment, amount, act }] of walk.entries()) {
      const id: ComponentId = `config_entry/${of}.${of === 'beta' ? 'all' : name}_${environment}`
      // Uses a new label each time, so that no state repeats and is found in the cache.
      if (act === 'define')
        await apply([of === 'beta' ? flag(amount === '1', `Beta ${at}`) : set(of, `${of} ${at}`)])
      else if (act === 'remove') {
        if (org.pin().view.has('config_entry', id.slice('config_entry/'.length))) await apply([], [id])
      } else if (of === 'beta') await apply([row('beta', 'all', environment, { value: amount === '1' })])
      else await apply([row(of, name, null, { amount }), row(of, name, environment, { amount })])
      expectWhole()
    }
  })

  it('are complete after a change to most of a set at once', async () => {
    await org.materialise()
    const many = (amount: string): object[] =>
      Array.from({ length: 600 }, (_, index) => row('fee', `k${index}`, null, { amount }))
    await apply([set('fee', 'Fee'), set('tax', 'Tax'), flag(false), ...many('1')])
    await apply(many('2'))
    expectWhole()
    await org.rollback(2, { actor: 'admin' })
    expectWhole()
    expect(org.pin().slice.sets.get('fee')!.digest).toBe(org.pin(2).slice.sets.get('fee')!.digest)
  })
})
