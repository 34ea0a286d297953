// The impact of a random change list is what a recompute of all records differs in, however they read each other.
import fc from 'fast-check'
import { expect, it } from 'vitest'
import type { Change } from '#kernel/change/index.ts'
import { idOf as componentIdOf } from '#kernel/components/component.ts'
import type { Component } from '#kernel/components/body-types.ts'
import { lazySnapshot } from '#kernel/config/index.ts'
import { buildGraph } from '#kernel/graph/index.ts'
import {
  CellMap,
  computeCells,
  objectPrograms,
  staleRollups,
  type FieldId,
  type RecordSnapshot,
  type RecordState,
} from '#kernel/records/index.ts'
import { affectedFields } from '../../server/impact/affected-fields.ts'
import { candidateSnapshot } from '../../server/impact/candidate-snapshot.ts'
import { followingMoves } from '../../server/impact/moved-children.ts'
import { Generations } from '../../server/kernel/records/fixture.ts'
import type { StoredRecord } from '../../server/ports/record-store.ts'
import { runSaves, type RecordDeps } from '../../server/records/index.ts'
import { createMemoryRecordStore } from '../../server/storage/sqlite/records/open-record-store.ts'
import { rootAccess } from './access.ts'
import {
  bodiesOf,
  edit,
  edited,
  ownFields,
  required,
  schema,
  sentValues,
  targets,
  type Schema,
} from './schemas.ts'

const objects = ['customer', 'invoice', 'line'] as const

/** Values of all records after a recompute of everything, repeated until nothing changes. */
function settled(
  snapshot: RecordSnapshot,
  records: readonly StoredRecord[],
): Map<string, Map<FieldId, unknown>> {
  let states = new Map<string, RecordState>(records.map((record) => [record.id, record]))
  for (let round = 0; round < 30; round += 1) {
    const next = new Map<string, RecordState>()
    let isSame = true
    for (const record of states.values()) {
      const { id, object, values, bindings } = record
      const input = {
        ...{ id, object, values, bindings, inputs: new Map(), missing: new Set<FieldId>(), scopePath: {} },
        ...{ dirty: new Set<FieldId>(), isNew: false, recompute: true },
        ...{ present: snapshot, snapshotAt: () => snapshot },
        loaded: (other: string) => states.get(other),
      }
      const cells = new CellMap(input)
      const children = new Map(
        staleRollups(cells).map(({ id: field, child, via }) => [
          field,
          [...states.values()].filter((each) => each.object === child && each.values.get(via) === id),
        ]),
      )
      const shape = computeCells(input, children, undefined, cells)
      const text = (all: ReadonlyMap<FieldId, unknown>): string =>
        JSON.stringify([...all].filter(([, value]) => value !== null).sort(([a], [b]) => a - b))
      if (text(shape.values) !== text(values)) isSame = false
      next.set(id, { ...record, values: shape.values, bindings: shape.bindings })
    }
    states = next
    if (isSame)
      return new Map(
        [...states].map(([id, { values, bindings }]) => [
          id,
          new Map([...bindings.keys()].map((field) => [field, values.get(field) ?? null])),
        ]),
      )
  }
  throw new Error('It does not settle.')
}

function changesBetween(before: RecordSnapshot, after: RecordSnapshot): Change[] {
  const all = (of: RecordSnapshot): Map<string, Component> =>
    new Map(
      (
        ['object', 'config_set', 'config_entry', 'calc_function', 'feature_flag', 'automation'] as const
      ).flatMap((type) =>
        [...of.view.list(type)].map((each): [string, Component] => [
          componentIdOf(each as Component),
          each as Component,
        ]),
      ),
    )
  const [was, is] = [all(before), all(after)]
  return [...new Set([...was.keys(), ...is.keys()])].flatMap((id): Change[] => {
    const [one, other] = [was.get(id), is.get(id)]
    if (JSON.stringify(one) === JSON.stringify(other)) return []
    if (one === undefined) return [{ kind: 'added', id: id as never, after: other!, hints: {} as never }]
    if (other === undefined) return [{ kind: 'removed', id: id as never, before: one }]
    return [{ kind: 'changed', id: id as never, before: one, after: other, values: [], hints: {} as never }]
  })
}

type Sent = Readonly<Record<string, unknown>>
const runs = Number(process.env['ALMANAC_RUNS'] ?? 100)
let changed = 0

async function program(
  first: Schema,
  sent: readonly [string, Sent][],
  next: Parameters<typeof edited>[1],
): Promise<void> {
  const generations = new Generations()
  const active = generations.add(bodiesOf(first))
  const store = createMemoryRecordStore()
  let last = 0
  const deps: RecordDeps = {
    store,
    snapshots: { active: () => active, at: () => active },
    clock: { now: () => '2026-01-01T00:00:00.000Z', today: () => '2026-01-01' },
    ids: { uuid: () => `00000000-0000-7000-8000-${String((last += 1)).padStart(12, '0')}` },
  }
  const ids = new Map<string, string[]>(objects.map((key) => [key, []]))
  for (const [object, all] of sent) {
    const own = new Set(ownFields(object))
    const values = Object.fromEntries(
      Object.entries(all).flatMap(([key, value]) => {
        if (!own.has(key)) return []
        const known = ids.get(targets[key] ?? '') ?? []
        return [[key, typeof value === 'number' ? (known[value % Math.max(1, known.length)] ?? null) : value]]
      }),
    )
    const [outcome] = await runSaves(deps, {
      ...{ generation: 1, actor: 'a', access: rootAccess(active), correlationId: 'c', scopePath: {} },
      ...{ allOrNone: false, items: [{ op: 'insert', object, values: { ...required[object], ...values } }] },
    })
    if (outcome!.ok) ids.get(object)!.push(outcome!.record!.id)
  }
  const after = new Generations().add(bodiesOf(edited(first, next)))
  const present: RecordSnapshot = { ...active, ...lazySnapshot(active.view, 1) }
  const changes = changesBetween(present, after)
  const candidate = candidateSnapshot(present, changes)
  const affected = affectedFields({ present, candidate, changes, graph: buildGraph(candidate.view) })
  await store.read(async (reader) => {
    const records = (
      await Promise.all(objects.map((key) => reader.page(active.names.objectId(key)!, null, 1000)))
    ).flat()
    const [now, then] = [settled(present, records), settled(candidate, records)]
    const expected: string[] = []
    const isField = (record: StoredRecord, id: FieldId): boolean => {
      const key = candidate.names.objectKey(record.object)!
      const name = [...candidate.names.fieldIds(key)].find(([, each]) => each === id)?.[0]
      return name !== undefined && objectPrograms(candidate.view, key)!.field(name) !== undefined
    }
    for (const record of records)
      for (const [field, value] of then.get(record.id)!) {
        const was = now.get(record.id)!.get(field) ?? record.values.get(field) ?? null
        if (value !== was && isField(record, field))
          expected.push(`${record.id} ${field} ${String(was)} ${String(value)}`)
      }
    const found: string[] = []
    const moves = new Map()
    for (const object of affected.objects) {
      const shapesIn = (side: string, snapshot: RecordSnapshot): ReturnType<typeof followingMoves> => {
        const request = { scopePath: {}, snapshot, follows: affected.follows(snapshot) }
        return followingMoves({ reader, side, request, moves, isHidden: () => false }, object, new Map())
      }
      const shapes = { now: shapesIn('now', present), then: shapesIn('then', candidate) }
      const all = records.filter((record) => record.object === object)
      for (let at = 0; at < all.length; at += 3) {
        const part = all.slice(at, at + 3)
        const [one, other] = [await shapes.now(part), await shapes.then(part)]
        for (const [index, record] of part.entries())
          for (const field of other[index]!.bindings.keys()) {
            const [was, is] = [one[index]!.values.get(field) ?? null, other[index]!.values.get(field) ?? null]
            if (was !== is && isField(record, field))
              found.push(`${record.id} ${field} ${String(was)} ${String(is)}`)
          }
      }
    }
    changed += expected.length
    expect(found.sort()).toEqual(expected.sort())
  })
  await store.close()
}

const inserts = fc.array(fc.tuple(fc.constantFrom(...objects), sentValues), { minLength: 4, maxLength: 14 })
it('finds exactly the values that a recompute of everything changes', async () => {
  await fc.assert(
    fc.asyncProperty(schema, inserts, edit, (first, sent, next) => program(first, sent, next as never)),
    {
      numRuns: runs,
    },
  )
  // The programs are worth running only if their change lists change values.
  expect(changed).toBeGreaterThan(runs)
}, 1_800_000)
