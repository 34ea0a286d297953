// Programs over two threads, next to a plain map: neither reading ahead nor what is sent late changes a result.
import fc from 'fast-check'
import { afterEach, beforeEach, expect, it } from 'vitest'
import type { FieldId, ObjectId, StoredBinding } from '#kernel/records/index.ts'
import type { Foreseen, RecordTransactor, StoredRecord } from '../../server/ports/record-store.ts'
import { openTwoThreads, type TwoThreads } from '../records/two-threads.ts'

const object = 'object/note@1' as ObjectId
const [title, size] = [1 as FieldId, 2 as FieldId]
const column = { indexed: true, searched: false } as const
const columns = [
  { id: title, ...column, type: 'text', bound: false },
  { id: size, ...column, type: 'number', precision: 25, scale: 2, bound: true },
] as const

const idOf = (n: number): string => `00000000-0000-7000-8000-${String(n).padStart(12, '0')}`
const texts = ['one', 'two', 'three"\\', 'vier ü', '']
/** The last one is larger than a double holds exactly. */
const sizes = ['1.00', '2.50', '-3.00', '12345678901234567890123.45']

let opened: TwoThreads
beforeEach(async () => {
  opened = openTwoThreads()
  await opened.store.write((tx) => tx.enter([{ id: object, columns }]))
})
afterEach(() => opened.close())

const bindings = [1, 2, 3].map((generation): StoredBinding => ({
  generation,
  asOf: null,
  config: {},
  functions: {},
  scopePath: {},
}))

const id = fc.integer({ min: 1, max: 8 })
const valueOf = (field: FieldId) => fc.constantFrom(...(field === title ? texts : sizes))
const foreseen: fc.Arbitrary<Foreseen> = fc.oneof(
  fc.array(id, { maxLength: 8 }).map((ids) => ({ object, ids: ids.map(idOf) })),
  ...[title, size].map((field) =>
    fc.array(valueOf(field), { maxLength: 5 }).map((values) => ({ object, field, values })),
  ),
)
interface Within {
  op: 'within'
  steps: Step[]
  isUndone: boolean
}
const plain = fc.oneof(
  fc.record({ op: fc.constant('foresee' as const), all: fc.array(foreseen, { maxLength: 3 }) }),
  fc.record({
    op: fc.constant('put' as const),
    ...{ n: id, title: valueOf(title), size: valueOf(size) },
    ...{ by: fc.constantFrom('ada', 'bo'), binding: fc.constantFrom(...bindings) },
  }),
  fc.record({ op: fc.constant('remove' as const), n: id }),
  fc.record({ op: fc.constant('get' as const), ns: fc.array(id, { maxLength: 4 }) }),
  fc.record({ op: fc.constant('find' as const), by: fc.constant(title), value: valueOf(title) }),
  fc.record({ op: fc.constant('find' as const), by: fc.constant(size), value: valueOf(size) }),
  // The other thread is asked, after everything that was written before.
  fc.record({ op: fc.constant('count' as const) }),
)
type Step = (typeof plain extends fc.Arbitrary<infer T> ? T : never) | Within

const { steps: anySteps } = fc.letrec<{ step: Step; steps: Step[] }>((tie) => ({
  step: fc.oneof(
    { maxDepth: 4, depthIdentifier: 'step' },
    { arbitrary: plain, weight: 4 },
    fc.record({ op: fc.constant('within' as const), steps: tie('steps'), isUndone: fc.boolean() }),
  ),
  steps: fc.array(tie('step'), { maxLength: 12, depthIdentifier: 'step' }),
}))

type Model = Map<string, StoredRecord>

const shown = (records: readonly StoredRecord[]) =>
  records.map(({ id: of, version, createdBy, changedBy, values, bindings: bound }) => [
    ...[of, version, createdBy, changedBy, ...values, bound.get(size)!.generation],
  ])
const inOrder = (records: readonly StoredRecord[]) => records.toSorted((a, b) => (a.id < b.id ? -1 : 1))

async function run(tx: RecordTransactor, model: Model, step: Step): Promise<void> {
  switch (step.op) {
    case 'foresee':
      return tx.foresee(step.all)
    case 'put': {
      const before = model.get(idOf(step.n))
      const { by, binding } = step
      const record: StoredRecord = {
        ...{ id: idOf(step.n), object, version: (before?.version ?? 0) + 1 },
        ...{ createdAt: 'x', createdBy: before?.createdBy ?? by, changedAt: 'x', changedBy: by },
        values: new Map([
          [title, step.title],
          [size, step.size],
        ]),
        ...{ bindings: new Map([[size, binding]]), inputs: new Map() },
      }
      model.set(record.id, record)
      await (before === undefined ? tx.insert(record) : tx.update(record))
      return tx.appendChange({
        ...{ object, record: record.id, version: record.version, at: 'x', by, correlationId: 'c' },
        ...{ operation: before === undefined ? 'insert' : 'update', generation: binding.generation },
        fields: [title, size].map((field) => ({
          ...{ field, before: before?.values.get(field) ?? null, after: record.values.get(field)! },
        })),
        bindings: [],
      })
    }
    case 'remove':
      if (model.delete(idOf(step.n))) await tx.remove(object, idOf(step.n))
      return
    case 'get': {
      const ids = [...new Set(step.ns.map(idOf))]
      const expected = ids.flatMap((each) => model.get(each) ?? [])
      expect(shown(inOrder(await tx.get(object, ids)))).toEqual(shown(inOrder(expected)))
      return
    }
    case 'find': {
      const expected = [...model.values()].filter(({ values }) => values.get(step.by) === step.value)
      const found = await tx.find(object, step.by, step.value)
      expect(shown(found)).toEqual(shown(inOrder(expected)))
      expect(shown(await tx.find(object, step.by, step.value, 1))).toEqual(shown(found.slice(0, 1)))
      return
    }
    case 'count':
      expect(await tx.count(object)).toBe(model.size)
      return
    case 'within': {
      const before = new Map(model)
      const undone = new Error('Undone.')
      try {
        await tx.savepoint(async () => {
          for (const each of step.steps) await run(tx, model, each)
          if (step.isUndone) throw undone
        })
      } catch (error) {
        if (error !== undone) throw error
        model.clear()
        for (const [place, record] of before) model.set(place, record)
      }
    }
  }
}

it('leave the same records as the map, and find the same in between', async () => {
  const model: Model = new Map()
  await fc.assert(
    fc.asyncProperty(fc.array(anySteps, { minLength: 1, maxLength: 3 }), async (all) => {
      // The next one is computed while the one before is written.
      await Promise.all(
        all.map((steps) =>
          opened.store.write(async (tx) => {
            for (const each of steps) await run(tx, model, each)
          }),
        ),
      )
      const left = await opened.store.read((reader) => reader.page(object, null, 100))
      expect(shown(left)).toEqual(shown(inOrder([...model.values()])))
      for (const { id: of, version, changedBy, bindings: bound } of left) {
        const page = await opened.store.read((reader) => reader.history(object, of, { limit: 1 }))
        const [last] = page.changes
        expect([last?.version, last?.by, last?.generation]).toEqual([
          ...[version, changedBy, bound.get(size)!.generation],
        ])
      }
    }),
    // What a failed program has written is there for the next one.
    { numRuns: 150, endOnFailure: true },
  )
})
