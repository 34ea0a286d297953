// Calls of operations through the engine and the store: what commits together, and the limits of one call.
import { beforeEach, describe, expect, it } from 'vitest'
import { billing, Generations } from '../../server/kernel/records/fixture.ts'
import type { RecordSnapshot } from '../../server/kernel/records/index.ts'
import {
  saveGroup,
  type CallCommand,
  type CommandDeps,
  type CommandOutcome,
  type RecordCommand,
} from '../../server/records/index.ts'
import { createMemoryRecordStore } from '../../server/storage/sqlite/records/open-record-store.ts'
import { rootAccess } from './access.ts'
import { idsFrom } from './programs.ts'

const addCustomer = { type: 'create', object: 'customer', values: { name: 'name', country: '"DE"' } }
const bodies = {
  ...billing(),
  'automation/add_three': {
    ...{ phase: 'invocable', params: [{ key: 'name', type: 'text' }] },
    actions: [1, 2, 3].map((at) => ({ key: `add_${at}`, ...addCustomer })),
  },
  'automation/add_and_refuse': {
    ...{ phase: 'invocable', params: [{ key: 'name', type: 'text' }] },
    actions: [
      { key: 'add', ...addCustomer },
      { key: 'no', type: 'raise', message: 'No.' },
    ],
  },
  // Each customer adds another one, without end.
  'automation/repeat': {
    ...{ object: 'customer', phase: 'after_write', when: 'name == "again"' },
    actions: [
      { key: 'add', type: 'create', object: 'customer', values: { name: 'name', country: 'country' } },
    ],
  },
}

class Org {
  readonly generations = new Generations()
  readonly present: RecordSnapshot
  /** Milliseconds that pass each time that the clock is read. */
  pace = 0
  #now = Date.parse('2026-01-01T00:00:00.000Z')

  constructor(of: Record<string, object> = bodies) {
    this.present = this.generations.add(of)
  }
  readonly deps: CommandDeps = {
    store: createMemoryRecordStore(),
    snapshots: { active: () => this.present, at: (generation) => this.generations.at(generation) },
    clock: { now: () => new Date((this.#now += this.pace)).toISOString(), today: () => '2026-01-01' },
    ids: { uuid: idsFrom(0) },
    accessOf: (_user, generation) => rootAccess(this.generations.at(generation)),
  }

  call(operation: string, name: string): CallCommand {
    const { generation } = this.present
    return {
      ...{ operation, params: { name }, asOf: null, generation },
      ...{ user: 'admin', correlationId: 'c-1', scopePath: {} },
    }
  }

  async run(...commands: readonly RecordCommand[]): Promise<string[]> {
    const outcomes = await saveGroup(this.deps, commands, () => 0)
    return outcomes.map((outcome: CommandOutcome) =>
      outcome.ok ? 'ok' : (outcome.error as { code: string }).code,
    )
  }

  pass(ms: number): void {
    this.#now += ms
  }

  /** Operations that wait for a callout. */
  async openRuns(): Promise<number> {
    return this.deps.store.read(async (reader) => (await reader.jobsWithOutcomes()).length)
  }

  async names(): Promise<string[]> {
    const { names } = this.present
    const field = names.fieldIds('customer').get('name')!
    const records = await this.deps.store.read((reader) =>
      reader.page(names.objectId('customer')!, null, 100),
    )
    return records.map(({ values }) => String(values.get(field)))
  }
}

it('calls and saves that commit together are undone each on its own', async () => {
  const org = new Org()
  const { generation } = org.present
  const insert = {
    ...{ generation, user: 'admin', correlationId: 'c-1', scopePath: {}, allOrNone: true },
    items: [{ op: 'insert' as const, object: 'customer', fields: { name: 'saved', country: 'DE' } }],
    reply: 'ids' as const,
  }
  const outcomes = await org.run(
    org.call('add_three', 'three'),
    org.call('add_and_refuse', 'refused'),
    insert,
    org.call('missing', 'none'),
  )
  expect(outcomes).toEqual(['ok', 'record.invalid', 'ok', 'operation.not_found'])
  expect(await org.names()).toEqual(['three', 'three', 'three', 'saved'])
})

it('a call that takes more than 5 seconds is undone', async () => {
  const org = new Org()
  org.pace = 300
  expect(await org.run(org.call('add_three', 'slow'))).toEqual(['limit.save_deadline'])
  expect(await org.names()).toEqual([])
  org.pace = 30
  expect(await org.run(org.call('add_three', 'fast'))).toEqual(['ok'])
})

it('the saves that a call leads to end at the depth of those of a save', async () => {
  const org = new Org()
  expect(await org.run(org.call('add_three', 'again'))).toEqual(['limit.save_depth'])
  expect(await org.names()).toEqual([])
})

const quote = {
  ...{ phase: 'invocable', params: [{ key: 'name', type: 'text' }] },
  actions: [
    { key: 'before', ...addCustomer },
    { key: 'asked', type: 'callout', credential: 'rates', method: 'GET', path: '/' },
    { key: 'booked', type: 'callout', credential: 'rates', method: 'POST', path: '/' },
    {
      key: 'after',
      type: 'create',
      object: 'customer',
      values: { name: 'text(booked.body)', country: '"DE"' },
    },
    { key: 'no', type: 'raise', when: 'text(booked.body) == "no"', message: 'No.' },
  ],
  returns: { answer: 'text(asked.body)' },
}
class Caller {
  readonly org: Org
  readonly #key: string | null

  constructor(org: Org, key: string | null = 'k') {
    this.org = org
    this.#key = key
  }

  async #send(command: RecordCommand): Promise<Record<string, unknown>> {
    const [outcome] = await saveGroup(this.org.deps, [command], () => 0)
    if (outcome!.ok) return outcome!.reply as unknown as Record<string, unknown>
    return { error: (outcome!.error as { code: string }).code }
  }

  call(): Promise<Record<string, unknown>> {
    const idempotency =
      this.#key === null ? {} : { idempotency: { caller: 'c', key: this.#key, request: 'r' } }
    return this.#send({ ...this.org.call('quote', 'called'), ...idempotency })
  }

  step({ run, token }: Record<string, unknown>, step: object): Promise<Record<string, unknown>> {
    return this.#send({ run, token, user: 'admin', correlationId: 'c-1', ...step } as RecordCommand)
  }

  returned(from: Record<string, unknown>, text: string): Promise<Record<string, unknown>> {
    return this.step(from, { kind: 'returned', outcome: { status: 200, body: JSON.stringify(text) } })
  }
}
const actionOf = (reply: Record<string, unknown>): unknown =>
  (reply['callout'] as { effect: { action: string } } | undefined)?.effect.action

describe('an operation with callouts', () => {
  let org: Org
  beforeEach(() => (org = new Org({ ...bodies, 'automation/quote': quote })))

  it('commits each part with the mark of its callout', async () => {
    const caller = new Caller(org)
    const first = await caller.call()
    expect([actionOf(first), await org.names()]).toEqual(['asked', ['called']])
    const second = await caller.returned(first, '5')
    expect(actionOf(second)).toBe('booked')
    const end = await caller.returned(second, 'ok')
    expect(end).toMatchObject({ ran: true, returns: { answer: '5' } })
    expect(await org.names()).toEqual(['called', 'ok'])
    expect(await caller.call()).toEqual(end)
    expect(await org.openRuns()).toBe(0)
  })

  it('goes on at the callout whose process has ended, with the same key for its target', async () => {
    const caller = new Caller(org)
    const first = await caller.call()
    expect(await caller.call()).toEqual({ error: 'conflict.operation_running' })
    org.pass(76_000)
    const again = await caller.call()
    expect(actionOf(again)).toBe('asked')
    expect((again['callout'] as { id: string }).id).toBe((first['callout'] as { id: string }).id)
    expect(await caller.returned(first, 'late')).toEqual({ error: 'conflict.operation_running' })
    expect(actionOf(await caller.returned(again, '5'))).toBe('booked')
    expect(await org.names()).toEqual(['called'])
  })

  it('does not go on at a callout that was being sent and cannot be repeated', async () => {
    const caller = new Caller(org)
    const second = await caller.returned(await caller.call(), '5')
    expect(await caller.step(second, { kind: 'sending' })).toEqual({ noted: true })
    org.pass(76_000)
    expect(await caller.call()).toEqual({ error: 'integration.outcome_unknown' })
    org.pass(25 * 3_600_000)
    // The key is free again, and what was kept for it is gone.
    expect(actionOf(await caller.call())).toBe('asked')
    expect(await org.openRuns()).toBe(1)
  })

  it('undoes the actions after a callout that fail, and keeps its mark', async () => {
    const caller = new Caller(org)
    const second = await caller.returned(await caller.call(), '5')
    expect(await caller.returned(second, 'no')).toMatchObject({ failure: { code: 'record.invalid' } })
    expect(await org.names()).toEqual(['called'])
    expect(await caller.call()).toMatchObject({ failure: { code: 'record.invalid' } })
  })

  it('leaves nothing behind without a key', async () => {
    const caller = new Caller(org, null)
    const first = await caller.call()
    expect(await caller.step(first, { kind: 'failed', isUnknown: false })).toEqual({ noted: true })
    expect(await org.openRuns()).toBe(0)
  })
})
