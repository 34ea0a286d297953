// Random programs of saves and deploys leave the store as the model: outcomes, values, versions, bindings and inputs.
import fc from 'fast-check'
import { expect, it } from 'vitest'
import type { RecordSnapshot } from '#kernel/records/index.ts'
import { Generations } from '../../server/kernel/records/fixture.ts'
import { bodies, fieldsOf } from './bodies.ts'
import { rootAccess } from './access.ts'
import {
  runSaves,
  type RecordDeps,
  type SaveItem,
  type SaveRequest,
  type TraceStep,
} from '../../server/records/index.ts'
import { createMemoryRecordStore } from '../../server/storage/sqlite/records/open-record-store.ts'
import { changesBetween, inputsOf, RecordModel, valuesOf } from './model.ts'

/** A place among the records that exist; past the last one, an id of no record. */
const place = fc.nat({ max: 30 })
/** Mostly valid values, and a few that are refused. */
const mostly = <T>(valid: readonly T[], ...refused: readonly T[]): fc.Arbitrary<T> =>
  fc.oneof(
    { weight: 12, arbitrary: fc.constantFrom(...valid) },
    ...(refused.length === 0 ? [] : [{ weight: 1, arbitrary: fc.constantFrom(...refused) }]),
  )
const amount = mostly<string | null>(['0', '10.00', '99.99', '1234.50', null], '-1.00', '9999999999.99')
const date = mostly<string | null>(
  ['2020-06-30', '2020-07-01', '2021-01-01', '2022-05-05'],
  '1999-01-01',
  null,
)

const customerValues = fc.record({
  name: mostly<string | null>(['Ada', 'Bob'], null),
  country: mostly(['DE', 'AT'], 'XX'),
})
const invoiceValues = fc.record(
  {
    number: fc.nat({ max: 40 }).map((n) => `R-${n}`),
    customer: fc.oneof({ weight: 3, arbitrary: fc.constant('customer') }, place, fc.constant(null)),
    tax_point: date,
    state: mostly<string | null>(['open', 'paid', null], 'lost'),
    net: amount,
    reminder: amount,
  },
  { requiredKeys: ['number', 'tax_point'] },
)
const lineValues = fc.record(
  { invoice: fc.oneof({ weight: 4, arbitrary: fc.constant('invoice') }, place), weight: amount },
  { requiredKeys: ['invoice'] },
)
/** A property that a request must not send, or a second name. */
const spoiled = fc.oneof(
  { weight: 20, arbitrary: fc.constant({}) },
  fc.constantFrom({ extra: 'unknown' }, { tax: '1.00' }, { amount: '7.00' }),
)
const values = fc.oneof(
  fc.tuple(fc.constant('customer' as const), customerValues),
  fc.tuple(fc.constant('invoice' as const), invoiceValues),
  fc.tuple(fc.constant('line' as const), lineValues),
)

type Values = Readonly<Record<string, unknown>>
type Command =
  | { do: 'insert'; object: string; values: Values }
  | { do: 'update'; at: number; values: Values; stale: boolean }
  | { do: 'recompute'; at: number }
  | { do: 'delete'; at: number }
  | { do: 'deploy'; bodies: number }

/** Most values of an update are left out, so that most updates are valid. */
const part = (all: Values, kept: readonly boolean[]): Values =>
  Object.fromEntries(Object.entries(all).filter((_, at) => kept[at % kept.length]))

const kept = fc.array(fc.boolean(), { minLength: 3, maxLength: 7 })
const command: fc.Arbitrary<Command> = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.tuple(values, spoiled).map(([[object, all], more]) => ({
      ...{ do: 'insert' as const, object },
      values: { ...all, ...more },
    })),
  },
  {
    weight: 6,
    arbitrary: fc
      .record({ at: fc.nat({ max: 30 }), all: values, kept, stale: fc.boolean() })
      .map(({ at, all, kept: some, stale }) => ({
        do: 'update' as const,
        ...{ at, stale: stale && at % 7 === 0 },
        values: part(all[1], some),
      })),
  },
  { weight: 2, arbitrary: fc.nat({ max: 30 }).map((at) => ({ do: 'recompute' as const, at })) },
  { weight: 1, arbitrary: fc.nat({ max: 30 }).map((at) => ({ do: 'delete' as const, at })) },
  {
    weight: 2,
    arbitrary: fc
      .oneof(fc.nat({ max: bodies.length - 1 }), fc.constant(bodies.length - 1))
      .map((at) => ({ do: 'deploy' as const, bodies: at })),
  },
)

class Sides {
  readonly generations = new Generations()
  present: RecordSnapshot
  readonly deps: RecordDeps
  readonly model: RecordModel
  readonly objects = new Map<string, string>()

  constructor() {
    this.present = this.generations.add(bodies[0]!)
    this.deps = {
      store: createMemoryRecordStore(),
      snapshots: { active: () => this.present, at: (generation) => this.generations.at(generation) },
      clock: { now: () => '2026-01-01T00:00:00.000Z', today: () => '2026-01-01' },
      ids: { uuid: idsFrom(0) },
    }
    this.model = new RecordModel((generation) => this.generations.at(generation), idsFrom(0))
  }

  /** Replaces places by ids of existing records. */
  named(values: Values): Values {
    const ids = [...this.model.rows.keys()]
    const idAt = (at: unknown): unknown =>
      typeof at === 'number' ? (ids[at % (ids.length + 1)] ?? idOf(999)) : at
    return Object.fromEntries(Object.entries(values).map(([key, value]) => [key, idAt(value)]))
  }

  itemOf(command: Exclude<Command, { do: 'deploy' }>): SaveItem | null {
    if (command.do === 'insert')
      return { op: 'insert', object: command.object, values: this.named(command.values) }
    const rows = [...this.model.rows.values()]
    const row = rows[command.at % Math.max(1, rows.length)]
    if (row === undefined) return null
    const object = this.present.names.objectKey(row.object)!
    if (command.do === 'delete' || command.do === 'recompute')
      return { op: command.do, object, id: row.id, version: null }
    const version = command.stale ? row.version - 1 : row.version
    const fields = new Set(fieldsOf(bodies[0]!, object).map(({ key }) => key))
    const own = Object.entries(command.values).filter(([key]) => fields.has(key) || key === 'amount')
    const sent = this.named(Object.fromEntries(own))
    return { op: 'update', object, id: row.id, version, values: sent }
  }

  /** Runs items in one request; each is also saved alone in the model, before the next one is made. */
  async runBatch(commands: readonly Exclude<Command, { do: 'deploy' }>[]): Promise<void> {
    const items: SaveItem[] = []
    const expected: string[] = []
    for (const each of commands) {
      const item = this.itemOf(each)
      if (item === null) continue
      items.push(item)
      expected.push(this.model.save(item, this.present))
    }
    const outcomes = await runSaves(this.deps, { ...this.#request(), items })
    expect(outcomes.map((each) => (each.ok ? 'ok' : each.error.code))).toEqual(expected)
  }

  #request(): Omit<SaveRequest, 'items'> {
    const { generation } = this.present
    return {
      generation,
      actor: 'admin',
      access: rootAccess(this.present),
      correlationId: 'c-1',
      scopePath: {},
      allOrNone: false,
    }
  }

  async run(item: SaveItem): Promise<[string, string]> {
    const steps: TraceStep[] = []
    const trace = (step: TraceStep): void => void steps.push(step)
    const [outcome] = await runSaves(this.deps, { ...this.#request(), items: [item], trace })
    checkTrace(steps, outcome!.ok)
    return [outcome!.ok ? 'ok' : outcome!.error.code, this.model.save(item, this.present)]
  }

  async compare(): Promise<void> {
    const stored = await this.deps.store.read(async (reader) => {
      const objects = ['customer', 'invoice', 'line'].map((key) => this.present.names.objectId(key)!)
      return (await Promise.all(objects.map((object) => reader.page(object, null, 1000)))).flat()
    })
    const plain = (
      rows: Iterable<
        { id: string; version: number; bindings: unknown } & Parameters<typeof valuesOf>[0] &
          Parameters<typeof inputsOf>[0]
      >,
    ): unknown =>
      [...rows]
        .map((row) => ({
          ...{ id: row.id, version: row.version, values: valuesOf(row), inputs: inputsOf(row) },
          bindings: [...(row.bindings as Map<number, unknown>)].sort(([a], [b]) => a - b),
        }))
        .sort((a, b) => (a.id < b.id ? -1 : 1))
    expect(plain(stored)).toEqual(plain(this.model.rows.values()))
    await this.#compareHistory()
  }

  /** The writes of each record, also of removed ones. */
  async #compareHistory(): Promise<void> {
    const ids = [...new Set(this.model.history.map(([id]) => id))]
    const stored = await this.deps.store.read(async (reader) => {
      const objects = ['customer', 'invoice', 'line'].map((key) => this.present.names.objectId(key)!)
      const all = ids.flatMap((id) => objects.map((object) => reader.history(object, id)))
      return (await Promise.all(all)).flat()
    })
    const changes = stored.map(({ record, version, operation, fields }) => {
      const [before, after] = [
        new Map(fields.map((field) => [field.field, field.before])),
        new Map(fields.map((field) => [field.field, field.after])),
      ]
      return [record, version, operation, changesBetween(before, after)]
    })
    const inOrder = ids.flatMap((id) => this.model.history.filter(([of]) => of === id))
    expect(changes).toEqual(inOrder)
  }
}

const start: readonly Command[] = [
  { do: 'insert', object: 'customer', values: { name: 'Ada', country: 'DE' } },
  {
    do: 'insert',
    object: 'invoice',
    values: { number: 'R-0', customer: 'customer', tax_point: '2022-01-01', net: '5' },
  },
  { do: 'insert', object: 'line', values: { invoice: 'invoice', weight: '2.50' } },
]

const idOf = (n: number): string => `00000000-0000-7000-8000-${String(n).padStart(12, '0')}`

function idsFrom(start: number): () => string {
  let last = start
  return () => idOf((last += 1))
}

const written = 'write roll_up recompute_readers effects'
const saved = `validate adjust( shape)*( validate)? ${written}`
/** The phases of one save: of an item or an action, of a related record, of a removal. */
const language = new RegExp(
  `^((load )?enter shape ${saved}|load shape( validate ${written})?|load remove roll_up)$`,
)

/** Each save of an item goes through its phases in order, and ends only with its last one. */
function checkTrace(steps: readonly TraceStep[], isSaved: boolean): void {
  const bySave = Map.groupBy(steps, ({ save }) => save)
  for (const phases of bySave.values()) {
    expect(new Set(phases.map(({ record }) => record)).size).toBe(1)
    const text = phases.map(({ phase }) => phase).join(' ')
    if (isSaved) expect(text).toMatch(language)
  }
}

const counts: Record<string, number> = {}

it('random programs leave the store equal to the model', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(command, { minLength: 10, maxLength: 40 }), async (commands) => {
      const sides = new Sides()
      for (const command of [...start, ...commands]) {
        if (command.do === 'deploy') {
          sides.present = sides.generations.add(bodies[command.bodies]!)
          continue
        }
        const item = sides.itemOf(command)
        if (item === null) continue
        const [engine, model] = await sides.run(item)
        expect([JSON.stringify(item), engine]).toEqual([JSON.stringify(item), model])
        counts[`${item.op} ${engine}`] = (counts[`${item.op} ${engine}`] ?? 0) + 1
        await sides.compare()
      }
    }),
    { numRuns: Number(process.env['ALMANAC_RUNS'] ?? 150) },
  )
  // The programs are worth running only if saves of each kind succeed and are refused.
  expect(Object.keys(counts)).toEqual(
    expect.arrayContaining([
      ...['insert ok', 'insert record.invalid', 'delete ok'],
      ...['update ok', 'update record.invalid', 'update conflict.stale_version', 'recompute ok'],
    ]),
  )
}, 300_000)

it('a batch equals its items saved one by one', async () => {
  const batches = fc.array(fc.array(command, { minLength: 1, maxLength: 12 }), { minLength: 2, maxLength: 5 })
  await fc.assert(
    fc.asyncProperty(batches, async (all) => {
      const sides = new Sides()
      for (const batch of [start, ...all]) {
        const saves = batch.flatMap((each) => (each.do === 'deploy' ? [] : [each]))
        await sides.runBatch(saves)
        await sides.compare()
        const deploy = batch.find((each) => each.do === 'deploy')
        if (deploy?.do === 'deploy') sides.present = sides.generations.add(bodies[deploy.bodies]!)
      }
    }),
    { numRuns: Number(process.env['ALMANAC_RUNS'] ?? 150) },
  )
}, 300_000)
