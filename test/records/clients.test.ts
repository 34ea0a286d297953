// Eight clients at once, with deploys, rollbacks and purges among their requests: the store is as if the requests had run
// one after another, in the order in which they were committed.
import fc from 'fast-check'
import { expect, it } from 'vitest'
import type { RecordSnapshot } from '#kernel/records/index.ts'
import { groupedSaves } from '../../server/compose/grouped-saves.ts'
import { Generations } from '../../server/kernel/records/fixture.ts'
import { WriteQueue } from '../../server/pipeline/write-queue.ts'
import {
  saveGroup,
  type CommandDeps,
  type CommandItem,
  type CommandOutcome,
  type SaveCommand,
  type SaveItem,
  type SaveReply,
} from '../../server/records/index.ts'
import { createMemoryRecordStore } from '../../server/storage/sqlite/records/open-record-store.ts'
import { rootAccess } from './access.ts'
import { bodies } from './bodies.ts'
import { compareWithModel } from './compare-with-model.ts'
import { RecordModel } from './model.ts'
import { idOf, idsFrom, kept, part, spoiled, values, type Values } from './programs.ts'

const clients = 8

/** What a client does; places are those of records that any client has added. */
type Step =
  | { do: 'insert'; object: string; values: Values }
  | { do: 'update'; at: number; values: Values; old: boolean }
  | { do: 'recompute' | 'delete'; at: number }
  /** A customer, an invoice of it and a line of that, in one transaction. */
  | { do: 'family'; net: string; weight: string }
  | { do: 'deploy'; bodies: number }
  | { do: 'purge' }

const insert = fc.tuple(values, spoiled).map(([[object, all], more]): Step => ({
  ...{ do: 'insert', object },
  values: { ...all, ...more },
}))
const update = fc
  .record({ at: fc.nat({ max: 60 }), all: values, some: kept, old: fc.boolean() })
  .map(({ at, all, some, old }): Step => ({ ...{ do: 'update', at, old }, values: part(all[1], some) }))
const saves = fc.oneof(
  { weight: 6, arbitrary: insert },
  { weight: 8, arbitrary: update },
  { weight: 2, arbitrary: fc.nat({ max: 60 }).map((at): Step => ({ do: 'recompute', at })) },
  { weight: 1, arbitrary: fc.nat({ max: 60 }).map((at): Step => ({ do: 'delete', at })) },
  {
    weight: 2,
    arbitrary: fc
      .tuple(fc.constantFrom('10', '99.99'), fc.constantFrom('1', '2.50', '-1'))
      .map(([net, weight]): Step => ({ do: 'family', net, weight })),
  },
)
/** Steps that are sent together, and how many turns the client waits before. */
const request = fc.record({
  steps: fc.oneof(
    { weight: 6, arbitrary: fc.array(saves, { minLength: 1, maxLength: 5 }) },
    {
      weight: 1,
      arbitrary: fc.nat({ max: bodies.length - 1 }).map((at): Step[] => [{ do: 'deploy', bodies: at }]),
    },
    { weight: 1, arbitrary: fc.constant<Step[]>([{ do: 'purge' }]) },
  ),
  wait: fc.nat({ max: 4 }),
})
const programs = fc.array(fc.array(request, { minLength: 2, maxLength: 6 }), {
  minLength: clients,
  maxLength: clients,
})

interface Executed {
  command: SaveCommand
  codes: string[]
}

/** A record that some client has added. */
interface Known {
  object: string
  id: string
  version: number
}

class Ground {
  readonly generations = new Generations()
  present: RecordSnapshot = this.generations.add(bodies[0]!)
  readonly queue = new WriteQueue()
  readonly store = createMemoryRecordStore()
  readonly executed: Executed[] = []
  readonly known: Known[] = []
  readonly #purged = new Set<number>()
  /** The generations of requests that wait for their turn. */
  readonly #waiting: number[] = []
  readonly #save: (command: SaveCommand) => Promise<unknown>

  constructor() {
    const deps: CommandDeps = {
      store: this.store,
      snapshots: { active: () => this.present, at: (generation) => this.#at(generation) },
      clock: { now: () => '2026-01-01T00:00:00.000Z', today: () => '2026-01-01' },
      ids: { uuid: idsFrom(0) },
      accessOf: (_user, generation) => rootAccess(this.generations.at(generation)),
    }
    const group = async (commands: readonly SaveCommand[]): Promise<CommandOutcome<SaveReply>[]> => {
      // Several requests commit together, and the rest with the next group.
      const outcomes = await saveGroup(deps, commands.slice(0, 3), () => 0)
      outcomes.forEach((outcome, at) => this.#note(commands[at]!, outcome))
      return outcomes
    }
    this.#save = groupedSaves(this.queue, group, () => undefined).save
  }

  #at(generation: number): RecordSnapshot {
    if (this.#purged.has(generation)) throw new Error(`Generation ${generation} was purged.`)
    return this.generations.at(generation)
  }

  #note(command: SaveCommand, outcome: CommandOutcome<SaveReply>): void {
    if (!outcome.ok) throw outcome.error
    const { results } = outcome.reply
    this.executed.push({ command, codes: results.map((each) => (each.ok ? 'ok' : each.error.code)) })
    results.forEach((each, at) => {
      const { object } = command.items[at]!
      if (each.ok && each.op === 'insert') this.known.push({ object, id: each.id, version: 1 })
      const found = each.ok ? this.known.find(({ id }) => id === each.id) : undefined
      if (each.ok && found !== undefined) found.version = each.version ?? found.version
    })
  }

  async send(items: readonly CommandItem[]): Promise<void> {
    const { generation } = this.present
    this.#waiting.push(generation)
    try {
      await this.#save({
        ...{ generation, user: 'admin', correlationId: 'c-1', scopePath: {}, items },
        ...{ allOrNone: false, reply: 'ids' },
      })
    } finally {
      this.#waiting.splice(this.#waiting.indexOf(generation), 1)
    }
  }

  deploy(at: number): Promise<void> {
    return this.queue.run(async () => void (this.present = this.generations.add(bodies[at]!)))
  }

  /** Generations that no value is bound to are removed, as a purge removes them. */
  purge(): Promise<void> {
    return this.queue.run(async () => {
      const bound = new Set(await this.store.read((reader) => reader.boundGenerations()))
      const least = Math.min(this.present.generation, ...this.#waiting)
      for (let generation = 1; generation < least; generation += 1)
        if (!bound.has(generation)) this.#purged.add(generation)
    })
  }

  /** Replaces places by ids of known records. */
  #named(sent: Values): Values {
    const idAt = (at: unknown): unknown =>
      typeof at === 'number' ? (this.known[at % (this.known.length + 1)]?.id ?? idOf(99_999)) : at
    return Object.fromEntries(Object.entries(sent).map(([key, value]) => [key, idAt(value)]))
  }

  itemsOf(step: Step, before: number): CommandItem[] {
    switch (step.do) {
      case 'insert':
        return [{ op: 'insert', object: step.object, fields: this.#named(step.values) }]
      case 'family':
        return [
          { op: 'insert', object: 'customer', fields: { name: 'Ada', country: 'DE' } },
          {
            ...{ op: 'insert', object: 'invoice' },
            fields: {
              number: `F-${step.net}`,
              customer: { item: before },
              tax_point: '2022-01-01',
              net: step.net,
            },
          },
          { op: 'insert', object: 'line', fields: { invoice: { item: before + 1 }, weight: step.weight } },
        ]
      case 'update':
      case 'recompute':
      case 'delete': {
        const found = this.known[step.at % Math.max(1, this.known.length)]
        if (found === undefined) return []
        const { object, id, version } = found
        if (step.do !== 'update') return [{ op: step.do, object, id, fields: {} }]
        const sent = step.old ? { version } : {}
        return [{ op: 'update', object, id, ...sent, fields: this.#named(step.values) }]
      }
      default:
        return []
    }
  }
}

/** Runs what was committed on the model, one item after another. */
function modelOf({ generations, executed }: Ground): RecordModel {
  const next = idsFrom(0)
  let first: string | null = null
  const model = new RecordModel(
    (generation) => generations.at(generation),
    () => {
      const id = next()
      first ??= id
      return id
    },
  )
  for (const { command, codes } of executed) {
    const ids: (string | null)[] = []
    command.items.forEach(({ op, object, id, version = null, fields }, at) => {
      const unresolved = Object.values(fields).some((value) => ids[itemOf(value) ?? -1] === null)
      first = null
      if (unresolved) {
        expect(codes[at]).not.toBe('ok')
        return void ids.push(null)
      }
      const sent = Object.fromEntries(
        Object.entries(fields).map(([key, value]) => [key, ids[itemOf(value) ?? -1] ?? value]),
      )
      const item = (
        op === 'insert' ? { op, object, values: sent } : { op, object, id, version, values: sent }
      ) as SaveItem
      const code = model.save(item, generations.at(command.generation))
      expect([JSON.stringify(item), codes[at]]).toEqual([JSON.stringify(item), code])
      ids.push(code === 'ok' ? (id ?? first) : null)
    })
  }
  return model
}

const itemOf = (value: unknown): number | undefined => (value as { item?: number } | null)?.item

const counts: Record<string, number> = {}

it('requests of eight clients leave the store as if they had run in the order of their commits', async () => {
  await fc.assert(
    fc.asyncProperty(programs, async (all) => {
      const ground = new Ground()
      const turn = (): Promise<void> => new Promise((next) => setImmediate(next))
      const client = async (requests: (typeof all)[number]): Promise<void> => {
        for (const { steps, wait } of requests) {
          for (let at = 0; at < wait; at += 1) await turn()
          const [first] = steps
          if (first?.do === 'deploy') await ground.deploy(first.bodies)
          else if (first?.do === 'purge') await ground.purge()
          else {
            const items: CommandItem[] = []
            for (const step of steps) items.push(...ground.itemsOf(step, items.length))
            if (items.length > 0) await ground.send(items)
          }
        }
      }
      await Promise.all(all.map(client))
      await compareWithModel(ground.store, modelOf(ground), ground.present)
      for (const { codes, command } of ground.executed)
        codes.forEach((code, at) => {
          const name = `${command.items[at]!.op} ${code}`
          counts[name] = (counts[name] ?? 0) + 1
        })
    }),
    { numRuns: Number(process.env['ALMANAC_RUNS'] ?? 40) },
  )
  expect(Object.keys(counts)).toEqual(
    expect.arrayContaining([
      ...['insert ok', 'insert record.invalid', 'delete ok', 'update ok', 'update record.invalid'],
      ...['update conflict.stale_version', 'update record.not_found', 'recompute ok'],
    ]),
  )
}, 1_800_000)
