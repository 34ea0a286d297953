// The search for children that a computed reference moves: where it ends, and what it leaves out.
import { expect, it } from 'vitest'
import { buildGraph } from '#kernel/graph/index.ts'
import type { RecordSnapshot } from '#kernel/records/index.ts'
import { affectedFields } from '../../server/impact/affected-fields.ts'
import { followingMoves, MoveMemory, type Move } from '../../server/impact/moved-children.ts'
import { Generations, type Bodies } from '../../server/kernel/records/fixture.ts'
import { runSaves, type RecordDeps } from '../../server/records/index.ts'
import { createMemoryRecordStore } from '../../server/storage/sqlite/records/open-record-store.ts'
import type { RecordStore } from '../../server/ports/record-store.ts'
import { rootAccess } from './access.ts'

const depot = { type: 'reference', references: 'depot' }
const bodies = (expression: string): Bodies => ({
  'object/depot': {
    fields: [
      { key: 'name', type: 'text' },
      {
        ...{ key: 'parcels', type: 'number', precision: 9, scale: 0 },
        rollup: { child: 'parcel', via: 'depot', op: 'count' },
      },
    ],
  },
  'object/parcel': {
    fields: [
      { key: 'near', ...depot },
      { key: 'far', ...depot },
      { key: 'depot', ...depot, formula: { expression, stored: true } },
    ],
  },
})

const count = 450

/** A store with two depots, and parcels that are near the first one and far from the second. */
async function filled(active: RecordSnapshot): Promise<{ store: RecordStore; depots: string[] }> {
  const store = createMemoryRecordStore()
  let last = 0
  const deps: RecordDeps = {
    store,
    snapshots: { active: () => active, at: () => active },
    clock: { now: () => '2026-01-01T00:00:00.000Z', today: () => '2026-01-01' },
    ids: { uuid: () => `00000000-0000-7000-8000-${String((last += 1)).padStart(12, '0')}` },
  }
  const insert = async (object: string, values: Record<string, unknown>): Promise<string> => {
    const [outcome] = await runSaves(deps, {
      ...{ generation: 1, actor: 'a', access: rootAccess(active), correlationId: 'c', scopePath: {} },
      ...{ allOrNone: false, items: [{ op: 'insert', object, values }] },
    })
    if (!outcome!.ok) throw new Error(JSON.stringify(outcome))
    return outcome!.record!.id
  }
  const depots = [await insert('depot', { name: 'A' }), await insert('depot', { name: 'B' })]
  for (let at = 0; at < count; at += 1) await insert('parcel', { near: depots[0], far: depots[1] })
  return { store, depots }
}

it('is made once for all records of an impact, in pages, and only if a reference is affected', async () => {
  const generations = new Generations()
  const present = generations.add(bodies('near'))
  const candidate = generations.add(bodies('far'))
  const { store, depots } = await filled(present)
  const object = present.names.objectId('depot')!
  const [field] = [candidate.names.fieldIds('depot').get('parcels')!]
  const changes = [
    {
      ...{ kind: 'changed', id: 'object/parcel', hints: {}, values: [] },
      ...{ before: present.view.get('object', 'parcel'), after: candidate.view.get('object', 'parcel') },
    },
  ] as never
  const graph = buildGraph(candidate.view)
  const { follows } = affectedFields({ present, candidate, changes, graph })
  const unaffected = affectedFields({ present, candidate, changes: [], graph })
  await store.read(async (reader) => {
    const pages: string[] = []
    const watched: typeof reader = {
      ...reader,
      page: (of, after, limit) => {
        pages.push(of)
        return reader.page(of, after, limit)
      },
    }
    const records = await reader.page(object, null, 10)
    const compare = async (moves: Map<string, Move>, more: object = {}) => {
      const request = { snapshot: candidate, scopePath: {}, follows: follows(candidate) }
      const omissions = new Map()
      const search = {
        ...{ reader: watched, side: 'after', request, moves, isHidden: () => false },
        ...more,
      }
      const shapesOf = followingMoves(search, object, omissions)
      const values: unknown[] = []
      for (const record of records)
        values.push(...(await shapesOf([record])).map(({ values: all }) => all.get(field)))
      return { values, omitted: records.map(({ id }) => omissions.get(id)), pages: pages.splice(0).length }
    }
    const moves = new Map<string, Move>()
    const found = { values: ['0', String(count)], omitted: [undefined, undefined] }
    expect(await compare(moves)).toEqual({ ...found, pages: 3 })
    expect(await compare(moves)).toEqual({ ...found, pages: 0 })
    const request = { snapshot: candidate, scopePath: {}, follows: unaffected.follows(candidate) }
    expect(await compare(new Map(), { request })).toMatchObject({ pages: 0 })

    // Beyond the bound, no depot is compared, and the search ends.
    const bounded = await compare(new Map(), { maxMoved: 100 })
    expect(bounded).toMatchObject({ omitted: ['unfollowed', 'unfollowed'], pages: 1 })
    expect(await compare(new Map(), { maxMoved: count })).toMatchObject(found)
    const hidden = await compare(new Map(), { isHidden: () => true })
    expect(hidden).toMatchObject({ omitted: ['hidden', 'hidden'], pages: 1 })
  })
  expect(depots).toHaveLength(2)
  await store.close()
})

it('is kept for the parts of one impact', () => {
  const memory = new MoveMemory()
  const first = memory.ofImpact('a', true)
  expect(memory.ofImpact('a', false)).toBe(first)
  expect(memory.ofImpact('a', true)).not.toBe(first)
  const second = memory.ofImpact('b', false)
  expect(memory.ofImpact('b', false)).toBe(second)
  expect(memory.ofImpact('a', false)).not.toBe(first)
})
