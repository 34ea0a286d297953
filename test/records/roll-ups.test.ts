// A roll-up is what all its children give, however they changed: most changes are applied as a difference.
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { Generations } from '../../server/kernel/records/fixture.ts'
import type { RecordTransactor } from '../../server/ports/record-store.ts'
import { runSaves, type RecordDeps, type SaveItem, type SaveOutcome } from '../../server/records/index.ts'
import { createMemoryRecordStore } from '../../server/storage/sqlite/records/open-record-store.ts'
import { rootAccess } from './access.ts'

const runs = Number(process.env['ALMANAC_RUNS'] ?? 80)
const number = { type: 'number', precision: 12, scale: 2 }
const over = (op: string, more: object = {}): object => ({ child: 'part', via: 'box', op, ...more })
const rollups: Record<string, object> = {
  parts: { type: 'number', precision: 6, scale: 0, rollup: over('count') },
  reds: { type: 'number', precision: 6, scale: 0, rollup: over('count', { filter: 'colour == "red"' }) },
  sum: { ...number, rollup: over('sum', { of: 'weight' }) },
  red_sum: { ...number, rollup: over('sum', { of: 'weight', filter: 'colour == "red"' }) },
  least: { ...number, rollup: over('min', { of: 'weight' }) },
  most: { ...number, rollup: over('max', { of: 'weight', filter: 'present(colour)' }) },
  mean: { ...number, rollup: over('avg', { of: 'weight' }) },
  /** Rounded. */
  short: { type: 'number', precision: 12, scale: 1, rollup: over('sum', { of: 'weight' }) },
  /** Reads what follows from a different record. */
  heavy: {
    type: 'number',
    precision: 6,
    scale: 0,
    rollup: over('count', { filter: 'over_limit' }),
  },
  first: { type: 'date', rollup: over('min', { of: 'made' }) },
}
const bodies = (extra: boolean, limit = 'over_limit'): Record<string, object> => ({
  'object/maker': { fields: [{ key: 'limit', ...number }] },
  'object/box': {
    fields: [
      { key: 'name', type: 'text' },
      { key: 'next', type: 'reference', references: 'part' },
      ...Object.entries(rollups).map(([key, field]) =>
        key === 'heavy' ? { key, ...field, rollup: over('count', { filter: limit }) } : { key, ...field },
      ),
      ...(extra ? [{ key: 'extra', type: 'text' }] : []),
    ],
  },
  'object/part': {
    fields: [
      { key: 'box', type: 'reference', references: 'box' },
      { key: 'weight', ...number },
      { key: 'colour', type: 'text' },
      { key: 'made', type: 'date' },
      { key: 'maker', type: 'reference', references: 'maker' },
      { key: 'over_limit', type: 'boolean', formula: { expression: 'weight > maker.limit', stored: true } },
    ],
  },
  /** Once a box has changed, a part of a different one loses its weight. */
  'automation/lose': {
    ...{ object: 'box', phase: 'after_write', when: 'present(next)' },
    actions: [{ type: 'update', key: 'lose', object: 'part', record: 'next', values: { weight: 'null' } }],
  },
})

const part = fc.record(
  {
    box: fc.constantFrom(0, 1, 2, null),
    weight: fc.constantFrom(null, '0', '1.00', '1.05', '2.50', '-3.00'),
    colour: fc.constantFrom(null, 'red', 'blue'),
    made: fc.constantFrom(null, '2024-01-01', '2025-01-01'),
    maker: fc.constantFrom(0, 1, null),
  },
  { requiredKeys: [] },
)
const step = fc.oneof(
  { weight: 5, arbitrary: part.map((values) => ({ do: 'insert' as const, values })) },
  { weight: 6, arbitrary: fc.record({ do: fc.constant('update' as const), at: fc.nat(), values: part }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('delete' as const), at: fc.nat() }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('limit' as const), at: fc.nat({ max: 1 }) }) },
  {
    weight: 1,
    arbitrary: fc.record({ do: fc.constant('next' as const), at: fc.nat(), box: fc.nat({ max: 2 }) }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('deploy' as const), at: fc.nat({ max: 2 }) }) },
)

interface Org {
  deps: RecordDeps
  deploy(bodies: Record<string, object>): void
  /** Returns the id of the record; null if the save failed, or deleted it. */
  save(item: SaveItem): Promise<string | null>
  insert(object: string, values: object): Promise<string | null>
  /** A stored value of a box. */
  valueOf(box: string | null, field: string): Promise<unknown>
}

function orgWith(first: Record<string, object>): Org {
  const generations = new Generations()
  let present = generations.add(first)
  let id = 0
  const deps: RecordDeps = {
    store: createMemoryRecordStore(),
    snapshots: { active: () => present, at: (generation) => generations.at(generation) },
    clock: { now: () => '2026-01-01T00:00:00.000Z', today: () => '2026-01-01' },
    ids: { uuid: () => `00000000-0000-7000-8000-${String((id += 1)).padStart(12, '0')}` },
  }
  const save = async (item: SaveItem): Promise<string | null> => {
    const [outcome] = await runSaves(deps, {
      ...{ generation: present.generation, actor: 'a', access: rootAccess(present), correlationId: 'c' },
      ...{ scopePath: {}, allOrNone: false, items: [item] },
    })
    return outcome!.ok ? (outcome!.record?.id ?? null) : null
  }
  return {
    deps,
    deploy: (next) => void (present = generations.add(next)),
    save,
    insert: (object, values) => save({ op: 'insert', object, values: values as Record<string, unknown> }),
    valueOf: (box, field) =>
      deps.store.read(async (reader) => {
        const [record] = await reader.get(present.names.objectId('box')!, [box!])
        return record!.values.get(present.names.fieldIds('box').get(field)!)
      }),
  }
}

it('a roll-up equals the same over all children, after any saves and deploys', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 20, maxLength: 60, size: 'max' }), async (steps) => {
      const { deps, deploy, save, insert } = orgWith(bodies(false))
      const boxes = [
        await insert('box', { name: 'a' }),
        await insert('box', { name: 'b' }),
        await insert('box', {}),
      ]
      const makers = [await insert('maker', { limit: '1' }), await insert('maker', { limit: '2' })]
      const parts: string[] = []
      const named = ({ box, maker, ...values }: Record<string, unknown>): Record<string, unknown> => ({
        ...values,
        ...(box === undefined ? {} : { box: box === null ? null : boxes[box as number] }),
        ...(maker === undefined ? {} : { maker: maker === null ? null : makers[maker as number] }),
      })
      for (const each of steps) {
        const place = parts.length === 0 ? 0 : ('at' in each ? each.at : 0) % parts.length
        const of = parts[place]
        const update = (
          object: string,
          at: string,
          values: Record<string, unknown>,
        ): Promise<string | null> => save({ op: 'update', object, id: at, version: null, values })
        if (each.do === 'insert') {
          const added = await insert('part', named(each.values))
          if (added !== null) parts.push(added)
        } else if (each.do === 'deploy')
          deploy(bodies(each.at === 1, each.at === 2 ? 'weight > 1' : undefined))
        else if (each.do === 'limit') await update('maker', makers[each.at]!, { limit: String(each.at * 3) })
        else if (of === undefined) continue
        else if (each.do === 'update') await update('part', of, named(each.values))
        else if (each.do === 'next') await update('box', boxes[each.box]!, { next: of })
        else {
          await save({ op: 'delete', object: 'part', id: of, version: null })
          const rest = await deps.store.read((reader) =>
            reader.get(deps.snapshots.active().names.objectId('part')!, [of]),
          )
          if (rest.length === 0) parts.splice(place, 1)
        }
        await expectExact(deps, boxes as string[])
      }
    }),
    { numRuns: runs },
  )
}, 1_800_000)

const partsWith = (...fields: string[]): object => ({
  fields: [
    { key: 'box', type: 'reference', references: 'box' },
    ...fields.map((key) => ({ key, ...number })),
  ],
})

it('a record that refers to itself is deleted with what it rolls up over itself', async () => {
  const { deps, save, insert } = orgWith({
    'object/box': {
      fields: [
        { key: 'within', type: 'reference', references: 'box' },
        { key: 'boxes', ...number, rollup: { child: 'box', via: 'within', op: 'count' } },
      ],
    },
  })
  const box = (await insert('box', {}))!
  await save({ op: 'update', object: 'box', id: box, version: null, values: { within: box } })
  await save({ op: 'delete', object: 'box', id: box, version: null })
  const object = deps.snapshots.active().names.objectId('box')!
  expect(await deps.store.read((reader) => reader.get(object, [box]))).toEqual([])
})

it('a roll-up that a deploy changed is computed from all children by the next save of one', async () => {
  const sumOf = (of: string): Record<string, object> => ({
    'object/box': { fields: [{ key: 'sum', ...number, rollup: over('sum', { of }) }] },
    'object/part': partsWith('weight', 'price'),
  })
  const { deploy, insert, valueOf } = orgWith(sumOf('weight'))
  const box = await insert('box', {})
  await insert('part', { box, weight: '1', price: '10' })
  await insert('part', { box, weight: '2', price: '20' })
  expect(await valueOf(box, 'sum')).toBe('3.00')
  deploy(sumOf('price'))
  await insert('part', { box, weight: '4', price: '40' })
  expect(await valueOf(box, 'sum')).toBe('70.00')
})

it('a roll-up whose definition was a different one in between is computed from all children', async () => {
  const bodiesOf = (op: string): Record<string, object> => ({
    'object/box': { fields: [{ key: 'weight', ...number, rollup: over(op, { of: 'weight' }) }] },
    'object/part': partsWith('weight'),
  })
  const { deploy, insert, valueOf } = orgWith(bodiesOf('sum'))
  const box = await insert('box', {})
  await insert('part', { box, weight: '5' })
  // The greatest of 5 and 3 is the sum that is stored, so the box is not written.
  deploy(bodiesOf('max'))
  await insert('part', { box, weight: '3' })
  deploy(bodiesOf('sum'))
  await insert('part', { box, weight: '2' })
  expect(await valueOf(box, 'weight')).toBe('10.00')
})

/** What a child was when a filter over a different record was last evaluated is not known, so `heavy` is left out. */
async function expectExact(deps: RecordDeps, boxes: readonly string[]): Promise<void> {
  const { names } = deps.snapshots.active()
  const [box, child] = [names.objectId('box')!, names.objectId('part')!]
  const [boxIds, ids] = [names.fieldIds('box'), names.fieldIds('part')]
  await deps.store.read(async (reader) => {
    for (const id of boxes) {
      const [record] = await reader.get(box, [id])
      const children = await reader.find(child, ids.get('box')!, id)
      const valueOf = (at: number, key: string): string | null =>
        (children[at]!.values.get(ids.get(key)!) ?? null) as string | null
      const all = children.map((_, at) => at)
      const weights = (from: number[]): number[] =>
        from.flatMap((at) =>
          valueOf(at, 'weight') === null ? [] : [Math.round(Number(valueOf(at, 'weight')) * 100)],
        )
      const reds = all.filter((at) => valueOf(at, 'colour') === 'red')
      const coloured = all.filter((at) => valueOf(at, 'colour') !== null)
      const total = (values: number[]): number | null =>
        values.length === 0 ? null : values.reduce((sum, value) => sum + value, 0)
      const least = (values: number[], pick: (...values: number[]) => number): number | null =>
        values.length === 0 ? null : pick(...values)
      const made = all.flatMap((at) => valueOf(at, 'made') ?? [])
      const shown = Object.fromEntries(
        Object.keys(rollups).map((key) => [key, record!.values.get(boxIds.get(key)!) ?? null]),
      )
      const cents = (key: string): number | null =>
        shown[key] === null ? null : Math.round(Number(shown[key]) * 100)
      expect({
        ...{ parts: shown['parts'], reds: shown['reds'], sum: cents('sum'), red_sum: cents('red_sum') },
        ...{ least: cents('least'), most: cents('most'), first: shown['first'] },
      }).toEqual({
        ...{ parts: String(all.length), reds: String(reds.length), sum: total(weights(all)) },
        ...{ red_sum: total(weights(reds)), least: least(weights(all), Math.min) },
        ...{ most: least(weights(coloured), Math.max), first: made.toSorted()[0] ?? null },
      })
      const exact = total(weights(all))
      if (exact === null) expect([shown['short'], shown['mean']]).toEqual([null, null])
      else {
        expect(shown['short']).toBe(halfEven(exact, 10))
        expect(Math.abs(cents('mean')! - exact / weights(all).length)).toBeLessThanOrEqual(0.5)
      }
    }
  })
}

/** Cents as a number with one decimal. */
function halfEven(cents: number, unit: number): string {
  const quotient = cents / unit
  const floor = Math.floor(quotient)
  const rest = quotient - floor
  const rounded = rest > 0.5 || (rest === 0.5 && floor % 2 !== 0) ? floor + 1 : floor
  return (rounded / 10).toFixed(1).replace('-0.0', '0.0')
}

/** Calls the function for each search for children. */
function countingStore({ store }: RecordDeps, onFind: () => unknown): RecordDeps['store'] {
  return {
    ...store,
    write: <T>(work: (tx: RecordTransactor) => Promise<T>): Promise<T> =>
      store.write((tx) => {
        const find: RecordTransactor['find'] = (...place) => {
          onFind()
          return tx.find(...place)
        }
        return work({ ...tx, find })
      }),
  } as RecordDeps['store']
}

it('a save of a child leaves roll-ups alone that read nothing of what it changes', async () => {
  const all = (filter: string): Record<string, object> => ({
    'object/box': {
      fields: [
        { key: 'most', ...number, rollup: { child: 'part', via: 'box', op: 'max', of: 'weight', filter } },
      ],
    },
    'object/part': partsWith('weight', 'height', 'width'),
  })
  const { deps, deploy, insert, valueOf } = orgWith(all('present(height)'))
  const box = await insert('box', {})
  const part = await insert('part', { box, weight: '5', height: '1' })
  let finds = 0
  const store = countingStore(deps, () => (finds += 1))
  const update = async (values: Record<string, string | null>): Promise<unknown> => {
    const present = deps.snapshots.active()
    await runSaves(
      { ...deps, store },
      {
        ...{ generation: present.generation, actor: 'a', access: rootAccess(present), correlationId: 'c' },
        ...{ scopePath: {}, allOrNone: true },
        items: [{ op: 'update', object: 'part', id: part!, version: null, values }],
      },
    )
    return [finds, (await valueOf(box, 'most')) ?? null]
  }
  deploy(all('present(height)'))
  expect(await update({ width: '7' })).toEqual([0, '5.00'])
  expect(await update({ height: '7' })).toEqual([1, '5.00'])
  deploy(all('present(width)'))
  expect(await update({ height: null })).toEqual([1, '5.00'])
  expect(await update({ width: null })).toEqual([2, null])
})

it('items of a batch look at all children once after a deploy, and again after an item that was undone', async () => {
  const fields = [
    { key: 'name', type: 'text' },
    { key: 'most', ...number, rollup: { child: 'part', via: 'box', op: 'max', of: 'weight' } },
  ]
  const rule = { key: 'light', when: 'weight > 100', message: 'Too heavy.' }
  const all = {
    'object/box': { fields },
    'object/part': { ...partsWith('weight'), validationRules: [rule] },
  }
  const { deps, deploy, insert, valueOf } = orgWith(all)
  const box = await insert('box', { name: 'a' })
  await insert('part', { box, weight: '50' })
  deploy(all)
  let finds = 0
  const store = countingStore(deps, () => (finds += 1))
  const present = deps.snapshots.active()
  const batch = (...weights: string[]): Promise<SaveOutcome[]> =>
    runSaves(
      { ...deps, store },
      {
        ...{ generation: present.generation, actor: 'a', access: rootAccess(present), correlationId: 'c' },
        ...{ scopePath: {}, allOrNone: false },
        items: weights.map((weight) => ({ op: 'insert', object: 'part', values: { box, weight } })),
      },
    )
  await batch('1', '2', '3', '4')
  expect([finds, await valueOf(box, 'most')]).toEqual([1, '50.00'])
  const outcomes = await batch('1', '200', '2', '3', '60', '55')
  expect(outcomes.map(({ ok }) => ok)).toEqual([true, false, true, true, true, true])
  expect([finds, await valueOf(box, 'most')]).toEqual([3, '60.00'])
})
