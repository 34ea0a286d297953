// Calls of operations through the engine and the store: what commits together, and the limits of one call.
import { expect, it } from 'vitest'
import { billing, Generations } from '../../server/kernel/records/fixture.ts'
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
  readonly present = this.generations.add(bodies)
  /** Milliseconds that pass each time that the clock is read. */
  pace = 0
  #now = Date.parse('2026-01-01T00:00:00.000Z')
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
