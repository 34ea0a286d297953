// Random programs of saves and deploys leave the store as the model: outcomes, values, versions, bindings and inputs.
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { objectPrograms, type ArchiveMark, type FieldId, type RecordSnapshot } from '#kernel/records/index.ts'
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
import { archivedReads } from '../../server/records/archive/archived-reads.ts'
import type { ArchiveMarks } from '../../server/records/save/save.ts'
import { createMemoryRecordStore } from '../../server/storage/sqlite/records/open-record-store.ts'
import type { RecordStore } from '../../server/ports/record-store.ts'
import { compareWithModel } from './compare-with-model.ts'
import { RecordModel, type ModelRow } from './model.ts'
import { openTwoThreads } from './two-threads.ts'
import { idOf, idsFrom, kept, part, spoiled, values, type Values } from './programs.ts'

type Command =
  | { do: 'insert'; object: string; values: Values }
  | { do: 'update'; at: number; values: Values; stale: boolean }
  | { do: 'recompute'; at: number }
  | { do: 'delete'; at: number }
  | { do: 'archive'; at: number }
  | { do: 'deploy'; bodies: number }

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
  {
    weight: 1,
    arbitrary: fc
      .record({ at: fc.nat({ max: 30 }), net: fc.constantFrom('1.00', '20.00') })
      .map(({ at, net }) => ({ do: 'update' as const, at, values: { net }, stale: false })),
  },
  {
    weight: 2,
    arbitrary: fc
      .record({ at: fc.nat({ max: 30 }), date: fc.constantFrom('2020-06-30', '2020-07-01', '2022-05-05') })
      .map(({ at, date }) => ({ do: 'update' as const, at, values: { tax_point: date }, stale: false })),
  },
  { weight: 2, arbitrary: fc.nat({ max: 30 }).map((at) => ({ do: 'recompute' as const, at })) },
  { weight: 1, arbitrary: fc.nat({ max: 30 }).map((at) => ({ do: 'delete' as const, at })) },
  { weight: 2, arbitrary: fc.nat({ max: 30 }).map((at) => ({ do: 'archive' as const, at })) },
  {
    weight: 2,
    arbitrary: fc
      .oneof(fc.nat({ max: bodies.length - 1 }), fc.constant(bodies.length - 1))
      .map((at) => ({ do: 'deploy' as const, bodies: at })),
  },
)

/** Ids in their order, and the phases of saves. Work that runs twice makes the same ones again. */
class Repeated {
  #last = 0
  steps: TraceStep[] = []

  uuid(): string {
    return idOf((this.#last += 1))
  }

  inEachRun(store: RecordStore): RecordStore {
    const write: RecordStore['write'] = (work) => {
      let first: number | null = null
      return store.write((tx) => {
        this.#last = first ??= this.#last
        this.steps = []
        return work(tx)
      })
    }
    return { ...bound(store), write, writeMany: write }
  }
}

const bound = (store: RecordStore): RecordStore => ({
  readNow: (work) => store.readNow(work),
  inMoment: (work) => store.inMoment(work),
  read: (work) => store.read(work),
  write: (work) => store.write(work),
  writeMany: (work, onSent) => store.writeMany(work, onSent),
  removeTraces: () => store.removeTraces(),
  close: () => store.close(),
})

class Sides {
  readonly repeated = new Repeated()
  readonly generations = new Generations()
  present: RecordSnapshot
  readonly deps: RecordDeps
  readonly model: RecordModel
  readonly objects = new Map<string, string>()

  constructor(store: RecordStore) {
    this.present = this.generations.add(bodies[0]!)
    this.deps = {
      store: this.repeated.inEachRun(store),
      snapshots: { active: () => this.present, at: (generation) => this.generations.at(generation) },
      clock: { now: () => '2026-01-01T00:00:00.000Z', today: () => '2026-01-01' },
      ids: this.repeated,
    }
    this.model = new RecordModel((generation) => this.generations.at(generation), idsFrom(0))
  }

  /** Replaces places by ids of existing records, and the name of an object by its last record. */
  named(values: Values): Values {
    const ids = [...this.model.rows.keys()]
    const last = (object: string): string =>
      [...this.model.rows.values()].findLast((row) => this.present.names.objectKey(row.object) === object)
        ?.id ?? idOf(999)
    const idAt = (at: unknown): unknown => {
      if (at === 'customer' || at === 'invoice') return last(at)
      return typeof at === 'number' ? (ids[at % (ids.length + 1)] ?? idOf(999)) : at
    }
    return Object.fromEntries(Object.entries(values).map(([key, value]) => [key, idAt(value)]))
  }

  itemOf(command: Exclude<Command, { do: 'deploy' }>): SaveItem | null {
    if (command.do === 'insert')
      return { op: 'insert', object: command.object, values: this.named(command.values) }
    const rows = [...this.model.rows.values()].filter(
      ({ bindings }) => command.do !== 'archive' || bindings.size > 0,
    )
    const row = rows[command.at % Math.max(1, rows.length)]
    if (row === undefined) return null
    const object = this.present.names.objectKey(row.object)!
    if (command.do === 'delete' || command.do === 'recompute')
      return { op: command.do, object, id: row.id, version: null }
    if (command.do === 'archive') return this.#archiving(object, row)
    const version = command.stale ? row.version - 1 : row.version
    const fields = new Set(fieldsOf(bodies[0]!, object).map(({ key }) => key))
    const own = Object.entries(command.values).filter(([key]) => fields.has(key) || key === 'amount')
    const sent = this.named(Object.fromEntries(own))
    return { op: 'update', object, id: row.id, version, values: sent }
  }

  /** Archives every value of a stored formula, some of them again. */
  #archiving(object: string, row: ModelRow): SaveItem | null {
    const { view, names } = this.present
    const ids = names.fieldIds(object)
    const formulas = objectPrograms(view, object)!.body.fields.filter(
      ({ formula }) => formula?.stored === true,
    )
    const record = { ...row, createdAt: '', createdBy: '', changedAt: '', changedBy: '' }
    const marks = formulas.flatMap(({ key, type }): [FieldId, { mark: ArchiveMark; inputs: object }][] => {
      const field = ids.get(key)!
      if (!row.bindings.has(field)) return []
      const reads = archivedReads(this.deps.snapshots, record, field, type === 'text')
      return [[field, { mark: { archive: 'a', at: '', by: 'admin', ...reads }, inputs: { [key]: true } }]]
    })
    if (marks.length === 0) return null
    return { op: 'archive', object, id: row.id, version: null, marks: new Map(marks) as ArchiveMarks }
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
    const trace = (step: TraceStep): void => void this.repeated.steps.push(step)
    const [outcome] = await runSaves(this.deps, { ...this.#request(), items: [item], trace })
    checkTrace(this.repeated.steps, outcome!.ok)
    return [outcome!.ok ? 'ok' : outcome!.error.code, this.model.save(item, this.present)]
  }

  compare(): Promise<void> {
    return compareWithModel(this.deps.store, this.model, this.present)
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

const written = 'write roll_up recompute_readers effects'
const saved = `validate adjust( shape)*( validate)? ${written}`
/** The phases of one save: of an item or an action, of a related record, of a removal. */
const language = new RegExp(
  `^((load )?enter shape ${saved}|load enter write|load shape( validate ${written})?|load remove roll_up)$`,
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

interface Opened {
  store: RecordStore
  close(): Promise<void>
}

const inMemory = (): Opened => {
  const store = createMemoryRecordStore()
  return { store, close: () => store.close() }
}

async function withSides(open: () => Opened, work: (sides: Sides) => Promise<void>): Promise<void> {
  const { store, close } = open()
  try {
    await work(new Sides(store))
  } finally {
    await close()
  }
}

/** What an archived value has read is sent again, after a deploy that adds decimal places. */
const sameNumber: Command[] = [
  { do: 'update', at: 1, values: { net: '20.00' }, stale: false },
  { do: 'archive', at: 0 },
  { do: 'deploy', bodies: 6 },
  { do: 'update', at: 1, values: { net: '20.00' }, stale: false },
]

const runs = Number(process.env['ALMANAC_RUNS'] ?? 80)

// Each program on two threads has an org of its own.
describe.each([
  { name: 'one thread', open: inMemory, numRuns: runs },
  { name: 'two threads', open: openTwoThreads, numRuns: Math.ceil(runs / 5) },
])('with $name', ({ open, numRuns }) => {
  it('random programs leave the store equal to the model', async () => {
    const program = async (sides: Sides, commands: readonly Command[]): Promise<void> => {
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
    }
    await fc.assert(
      fc.asyncProperty(fc.array(command, { minLength: 10, maxLength: 40 }), (commands) =>
        withSides(open, (sides) => program(sides, commands)),
      ),
      { numRuns, examples: [[sameNumber]] },
    )
    // The programs are worth running only if saves of each kind succeed and are refused.
    expect(Object.keys(counts)).toEqual(
      expect.arrayContaining([
        ...['insert ok', 'insert record.invalid', 'delete ok'],
        ...['update ok', 'update record.invalid', 'update conflict.stale_version', 'recompute ok'],
        ...['archive ok', 'update record.archived'],
      ]),
    )
  }, 1_800_000)

  it('batches equal their items saved one by one, even if the next one does not wait for their commit', async () => {
    const program = async (sides: Sides, all: readonly (readonly Command[])[]): Promise<void> => {
      let running: Promise<void>[] = []
      for (const batch of [start, ...all]) {
        const saves = batch.flatMap((each) => (each.do === 'deploy' ? [] : [each]))
        running.push(sides.runBatch(saves))
        const deploy = batch.find((each) => each.do === 'deploy')
        if (running.length < 3 && deploy === undefined) continue
        await Promise.all(running)
        running = []
        await sides.compare()
        if (deploy?.do === 'deploy') sides.present = sides.generations.add(bodies[deploy.bodies]!)
      }
      await Promise.all(running)
      await sides.compare()
    }
    const batches = fc.array(fc.array(command, { minLength: 1, maxLength: 12 }), {
      minLength: 2,
      maxLength: 5,
    })
    await fc.assert(
      fc.asyncProperty(batches, (all) => withSides(open, (sides) => program(sides, all))),
      { numRuns },
    )
  }, 1_800_000)
})
