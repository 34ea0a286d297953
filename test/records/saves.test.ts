// Saves through the engine and the store: what each phase does, what follows from it, and what is undone.
import { describe, expect, it } from 'vitest'
import type { FieldValue } from '#kernel/components/field-types.ts'
import { billing, Generations, type Bodies } from '../../server/kernel/records/fixture.ts'
import type { RecordJob } from '../../server/ports/record-jobs.ts'
import type { RecordTransactor, StoredRecord } from '../../server/ports/record-store.ts'
import { accessOf, type Person } from './access.ts'
import {
  recordJobWrites,
  runSaves,
  type RecordDeps,
  type SaveItem,
  type SaveOutcome,
  type TraceStep,
} from '../../server/records/index.ts'
import { createMemoryRecordStore } from '../../server/storage/sqlite/records/open-record-store.ts'
import { saveInTransaction } from '../../server/records/saves.ts'
import { bodies, fieldsOf } from './bodies.ts'
import { publishedEvents } from '../support/published-events.ts'

const idOf = (n: number): string => `00000000-0000-7000-8000-${String(n).padStart(12, '0')}`

class Org {
  readonly generations = new Generations()
  readonly trace: string[] = []
  person: Person = { user: 'admin', platformRoot: true }
  present
  readonly deps: RecordDeps
  #last = 0

  constructor(first: Bodies = billing()) {
    this.present = this.generations.add(first)
    this.deps = {
      store: createMemoryRecordStore(),
      snapshots: { active: () => this.present, at: (generation) => this.generations.at(generation) },
      clock: { now: () => '2026-01-01T00:00:00.000Z', today: () => '2026-01-01' },
      ids: { uuid: () => idOf((this.#last += 1)) },
    }
  }

  deploy(next: Bodies): void {
    this.present = this.generations.add(next)
  }

  run(items: readonly SaveItem[], allOrNone = false): Promise<SaveOutcome[]> {
    this.trace.length = 0
    const { generation } = this.present
    const trace = ({ phase, record }: TraceStep): void => void this.trace.push(`${phase} ${record}`)
    return runSaves(this.deps, {
      generation,
      actor: this.person.user,
      access: accessOf(this.person, this.present),
      correlationId: 'c-1',
      scopePath: {},
      items,
      allOrNone,
      trace,
    })
  }

  /** Saves one item that must succeed, and returns the id. */
  async insert(object: string, values: Record<string, unknown>): Promise<string> {
    const [outcome] = await this.run([{ op: 'insert', object, values }])
    if (!outcome!.ok) throw outcome!.error
    return outcome!.record!.id
  }

  async update(object: string, id: string, values: Record<string, unknown>): Promise<void> {
    const [outcome] = await this.run([{ op: 'update', object, id, version: null, values }])
    if (!outcome!.ok) throw outcome!.error
  }

  record(object: string, id: string): Promise<StoredRecord | undefined> {
    const { names } = this.present
    return this.deps.store.read(async (reader) => (await reader.get(names.objectId(object)!, [id]))[0])
  }

  async read(object: string, id: string, ...keys: string[]): Promise<FieldValue[]> {
    const ids = this.present.names.fieldIds(object)
    const record = await this.record(object, id)
    return keys.map((key) => record?.values.get(ids.get(key)!) ?? null)
  }

  jobs(): Promise<RecordJob[]> {
    return this.deps.store.read((reader) => reader.openJobs())
  }

  /** Runs the open job to its end. */
  async endJob(): Promise<RecordJob> {
    const deps = { ...this.deps, accessOf: () => accessOf(this.person, this.present), versionsOf: () => [] }
    const writes = recordJobWrites(
      () => deps,
      () => performance.now(),
      { outbox: async (_tx, job) => job, deliveries: async (_tx, job) => job },
    )
    const [open] = await this.jobs()
    let job: RecordJob
    do job = await writes.step({ id: open!.id, generation: this.present.generation })
    while (job.state === 'processing')
    return job
  }

  async refused(item: SaveItem): Promise<[code: string, details: readonly unknown[]]> {
    const [outcome] = await this.run([item])
    if (outcome!.ok) throw new Error('The save was not refused.')
    return [outcome!.error.code, outcome!.error.details]
  }
}

async function sample(): Promise<{ org: Org; customer: string; invoice: string }> {
  const org = new Org()
  const customer = await org.insert('customer', { name: 'Ada', country: 'DE' })
  const values = { number: 'R-1', customer, tax_point: '2022-01-01', net: '100' }
  return { org, customer, invoice: await org.insert('invoice', values) }
}

describe('a save', () => {
  it('goes through its phases in order, and so does each save that follows from it', async () => {
    const { org, customer, invoice } = await sample()
    const line = await org.insert('line', { invoice, weight: '2' })
    const own = (...phases: string[]): string[] => phases.map((phase) => `${phase} line/${line}`)
    const parent = (...phases: string[]): string[] => phases.map((phase) => `${phase} invoice/${invoice}`)
    expect(org.trace).toEqual([
      ...own('enter', 'shape', 'validate', 'adjust', 'write', 'roll_up'),
      ...parent('load', 'shape', 'validate', 'write', 'roll_up', 'recompute_readers', 'effects'),
      ...own('recompute_readers', 'effects'),
    ])
    await org.update('customer', customer, { name: 'Bob' })
    expect(org.trace.filter((phase) => phase.endsWith(invoice))).toEqual(
      parent('load', 'shape', 'validate', 'write', 'roll_up', 'recompute_readers', 'effects'),
    )
  })

  it('counts every write in the version, also of a roll-up, and no write that changes nothing', async () => {
    const { org, customer, invoice } = await sample()
    expect((await org.record('invoice', invoice))?.version).toBe(1)
    const line = await org.insert('line', { invoice, weight: '2' })
    expect((await org.record('invoice', invoice))?.version).toBe(2)
    await org.update('line', line, { weight: '2.00' })
    expect((await org.record('invoice', invoice))?.version).toBe(2)
    expect((await org.record('line', line))?.version).toBe(2)
    expect((await org.record('customer', customer))?.version).toBe(1)
  })

  it('of a child rolls up into the old and the new parent', async () => {
    const { org, customer, invoice } = await sample()
    const other = await org.insert('invoice', { number: 'R-2', customer, tax_point: '2022-01-01' })
    const line = await org.insert('line', { invoice, weight: '2.50' })
    expect(await org.read('invoice', invoice, 'lines', 'weight')).toEqual(['1', '2.50'])
    await org.update('line', line, { invoice: other })
    expect(await org.read('invoice', invoice, 'lines', 'weight')).toEqual(['0', null])
    expect(await org.read('invoice', other, 'lines', 'weight')).toEqual(['1', '2.50'])
    await org.run([{ op: 'delete', object: 'line', id: line, version: null }])
    expect(await org.read('invoice', other, 'lines', 'weight')).toEqual(['0', null])
  })

  it('recomputes the readers of a record at the generation that each is bound to', async () => {
    const { org, customer, invoice } = await sample()
    org.deploy(bodies[5]!)
    await org.update('customer', customer, { country: 'AT' })
    expect(await org.read('invoice', invoice, 'tax', 'total')).toEqual(['20.00', '120.00'])
    const record = await org.record('invoice', invoice)
    expect(record?.bindings.get(org.present.names.fieldIds('invoice').get('tax')!)?.generation).toBe(1)
  })

  it('computes up to 200 readers in its transaction, and more by a job, each at its generation', async () => {
    const { org, customer, invoice } = await sample()
    const add = (from: number, count: number): Promise<SaveOutcome[]> =>
      org.run(
        Array.from({ length: count }, (_, at) => ({
          ...{ op: 'insert', object: 'invoice' },
          values: { number: `R-${from + at}`, customer, tax_point: '2022-01-01', net: '100' },
        })),
      )
    const taxes = async (): Promise<Record<string, number>> => {
      const { names } = org.present
      const id = names.fieldIds('invoice').get('tax')!
      const records = await org.deps.store.read((reader) =>
        reader.page(names.objectId('invoice')!, null, 999),
      )
      const counts: Record<string, number> = {}
      for (const { values } of records) {
        const tax = String(values.get(id))
        counts[tax] = (counts[tax] ?? 0) + 1
      }
      return counts
    }
    await add(2, 199)
    org.deploy(bodies[1]!)
    await org.update('customer', customer, { country: 'AT' })
    expect(await taxes()).toEqual({ '20.00': 200 })
    expect(await org.jobs()).toEqual([])
    await add(201, 1)
    await org.update('customer', customer, { country: 'DE' })
    await org.update('customer', customer, { country: 'FR' })
    await org.update('customer', customer, { country: 'DE' })
    expect(await taxes()).toEqual({ '20.00': 201 })
    expect(await org.jobs()).toMatchObject([{ kind: 'follow', state: 'queued', createdBy: 'admin' }])
    expect(await org.endJob()).toMatchObject({ state: 'completed', done: 201, changed: 201, failed: 0 })
    // The first 200 keep the generation that they are bound to.
    expect(await taxes()).toEqual({ '19.00': 200, '25.00': 1 })
    await org.update('customer', customer, { name: 'Bob' })
    expect(await org.read('invoice', invoice, 'buyer')).toEqual(['Ada (DE)'])
    await org.endJob()
    expect(await org.read('invoice', invoice, 'buyer')).toEqual(['Bob (DE)'])
  })

  it('sees the generations that saves before it in the same transaction are bound to', async () => {
    const { org, customer } = await sample()
    org.deploy(bodies[1]!)
    const [first, second] = [org.generations.at(1), org.present]
    const save = (snapshot: typeof first, item: SaveItem) => (tx: RecordTransactor) =>
      saveInTransaction(org.deps, tx, {
        ...{ generation: snapshot.generation, actor: 'admin', correlationId: 'c', scopePath: {} },
        ...{ access: accessOf(org.person, snapshot), allOrNone: true, items: [item] },
      })
    await org.deps.store.write(async (tx) => {
      expect(await tx.boundGenerations()).toEqual([1])
      const values = { number: 'R-9', customer, tax_point: '2022-01-01', net: '100' }
      await save(second, { op: 'insert', object: 'invoice', values })(tx)
      expect(await tx.boundGenerations()).toEqual([1, 2])
      // A request of the older generation, which was waiting.
      await save(first, {
        op: 'update',
        object: 'customer',
        id: customer,
        version: null,
        values: { country: 'AT' },
      })(tx)
    })
    expect(await org.deps.store.read((reader) => reader.boundGenerations())).toEqual([1, 2])
  })

  it('that fails undoes what it did to other records', async () => {
    const { org, invoice } = await sample()
    const [code, details] = await org.refused({
      op: 'insert',
      object: 'line',
      values: { invoice: idOf(77), weight: '1' },
    })
    expect([code, details]).toMatchObject([
      'record.invalid',
      [{ field: 'invoice', code: 'record.unknown_reference' }],
    ])
    const heavy = await org.refused({ op: 'insert', object: 'line', values: { invoice, weight: '1201' } })
    expect(heavy).toMatchObject(['record.invalid', [{ rule: 'light' }]])
    expect(await org.read('invoice', invoice, 'lines')).toEqual(['0'])
    const { names } = org.present
    expect(await org.deps.store.read((reader) => reader.page(names.objectId('line')!, null, 9))).toEqual([])
  })
})

/** The sample with automations. */
async function automated(automations: Bodies): ReturnType<typeof sample> {
  const sides = await sample()
  sides.org.deploy({ ...billing(), ...automations })
  return sides
}

describe('automations', () => {
  it('before the write set fields, which are computed and checked again', async () => {
    const { org, invoice } = await automated({
      'automation/a': {
        ...{ object: 'invoice', phase: 'before_write', when: 'changed(state)' },
        actions: [{ type: 'assign', key: 'net', values: { net: 'net * 1.00005' } }],
      },
      'automation/b': {
        ...{ object: 'invoice', phase: 'before_write', when: 'tax == 19.01' },
        actions: [{ type: 'assign', key: 'reminder', values: { reminder: '0 - total' } }],
      },
    })
    await org.update('invoice', invoice, { state: 'paid', net: '100.04' })
    // 100.045002 is rounded once, half to even, and the second automation sees the tax of that.
    expect(await org.read('invoice', invoice, 'net', 'tax', 'reminder')).toEqual([
      '100.05',
      '19.01',
      '-119.06',
    ])
    const record = `invoice/${invoice}`
    const phases = ['adjust', 'shape', 'shape', 'validate', 'write'].map((phase) => `${phase} ${record}`)
    expect(org.trace.slice(org.trace.indexOf(phases[0]!)).slice(0, 5)).toEqual(phases)
  })

  it('cannot write what is not valid', async () => {
    const { org, invoice } = await automated({
      'automation/a': {
        ...{ object: 'invoice', phase: 'before_write' },
        actions: [{ type: 'assign', key: 'net', values: { net: '0 - net' } }],
      },
    })
    const item = { op: 'update', object: 'invoice', id: invoice, version: null, values: {} } as const
    expect(await org.refused(item)).toMatchObject(['record.invalid', [{ rule: 'positive' }]])
  })

  it('refuse a save, by name', async () => {
    const { org, invoice } = await automated({
      'automation/a': {
        ...{ object: 'invoice', phase: 'before_write', when: 'net > 500' },
        actions: [{ type: 'raise', key: 'no', message: 'Ask first.', field: 'net' }],
      },
    })
    const item = {
      op: 'update',
      object: 'invoice',
      id: invoice,
      version: null,
      values: { net: '501' },
    } as const
    const problem = { field: 'net', code: 'record.raised', message: 'Ask first.', automation: 'a' }
    expect(await org.refused(item)).toEqual(['record.invalid', [problem]])
  })

  it('after the write run once for an item, each seeing what the one before left', async () => {
    const update = (values: object): object[] => [
      { type: 'update', key: 'u', object: 'invoice', record: 'invoice', values },
    ]
    const { org, invoice } = await automated({
      'automation/a': { object: 'line', phase: 'after_write', actions: update({ reminder: 'weight' }) },
      'automation/b': {
        ...{ object: 'line', phase: 'after_write', when: 'invoice.reminder == weight' },
        actions: update({ state: '"paid"' }),
      },
    })
    const line = await org.insert('line', { invoice, weight: '7' })
    expect(await org.read('invoice', invoice, 'reminder', 'state')).toEqual(['7.00', 'paid'])
    expect((await org.record('invoice', invoice))?.version).toBe(4)
    expect((await org.record('line', line))?.version).toBe(1)
  })

  it('name the record that triggers them by its id', async () => {
    const { org, invoice } = await automated({
      'automation/a': {
        ...{ object: 'invoice', phase: 'after_write', when: 'isNew && id != "x"' },
        actions: [{ type: 'create', key: 'c', object: 'line', values: { invoice: 'id', weight: '3' } }],
      },
      'automation/b': {
        ...{ object: 'line', phase: 'after_write', when: 'weight == 3' },
        actions: [{ type: 'update', key: 'u', object: 'line', record: 'id', values: { weight: '4' } }],
      },
    })
    const added = await org.insert('invoice', { number: 'new', tax_point: '2021-01-01' })
    expect(await org.read('invoice', added, 'lines', 'weight')).toEqual(['1', '4.00'])
    expect(await org.read('invoice', invoice, 'lines')).toEqual(['0'])
  })

  it('leave events and calls with the record, or not at all', async () => {
    const secret = { key: 'secret', type: 'text', sensitive: true }
    const hint = { key: 'hint', type: 'text', formula: { expression: 'secret + "?"', stored: true } }
    const customers = {
      ...billing()['object/customer'],
      fields: [...fieldsOf(billing(), 'customer'), secret, hint],
    }
    const { org } = await automated({
      'object/customer': customers,
      'event_channel/moved': { partitionKey: 'name', schema: [{ key: 'name', type: 'text' }] },
      'automation/a': {
        ...{ object: 'customer', phase: 'after_write' },
        actions: [
          { type: 'publish', key: 'announce', channel: 'moved', payload: { name: 'label' } },
          {
            ...{ type: 'enqueue', key: 'send', credential: 'crm', method: 'PUT', path: '/customers/{name}' },
            ...{
              pathParams: { name: 'name' },
              payload: { country: 'country', secret: 'secret + "!"', hint: 'hint' },
            },
          },
        ],
      },
    })
    const id = await org.insert('customer', { name: 'Cy', country: 'AT', secret: 's3' })
    await org.refused({ op: 'insert', object: 'customer', values: { name: null } })
    const effects = await org.deps.store.read((reader) => reader.effects(0, 10))
    const about = { automation: 'a', record: `customer/${id}`, version: 1, generation: 2, actor: 'admin' }
    expect(effects).toMatchObject([
      {
        ...{ ...about, kind: 'enqueue', deferred: ['payload/secret', 'payload/hint'] },
        body: {
          credential: 'crm',
          pathParams: { name: 'Cy' },
          payload: { country: 'AT', secret: null, hint: null },
        },
      },
    ])
    expect(effects).toHaveLength(1)
    const { actor, generation } = about
    expect(await publishedEvents(org.deps.store)).toMatchObject([
      { channel: 'moved', content: { payload: { name: 'Cy (AT)' }, actor, generation } },
    ])
  })
})

describe('an event', () => {
  it('that is larger than its channel allows is refused with its save, naming the largest field', async () => {
    const text = { type: 'text' }
    const org = new Org({
      'object/note': {
        fields: [
          { key: 'title', ...text },
          { key: 'words', ...text },
        ],
      },
      'event_channel/noted': {
        partitionKey: 'title',
        maxBytes: 1024,
        schema: [
          { key: 'title', ...text },
          { key: 'text', ...text },
        ],
      },
      'automation/a': {
        ...{ object: 'note', phase: 'after_write' },
        actions: [
          { type: 'publish', key: 'announce', channel: 'noted', payload: { title: 'title', text: 'words' } },
        ],
      },
    })
    // {"title":"t","text":"…"} with 23 bytes beside the words; each ä has two.
    const add = (words: string): Promise<SaveOutcome[]> =>
      org.run([{ op: 'insert', object: 'note', values: { title: 't', words } }])
    expect(await add('ä'.repeat(500))).toMatchObject([{ ok: true }])
    const [refused] = await add('ä'.repeat(501))
    expect(refused).toMatchObject({
      ok: false,
      error: {
        code: 'limit.event_too_large',
        details: [{ channel: 'noted', bytes: 1025, maxBytes: 1024, field: 'text' }],
      },
    })
    expect(await publishedEvents(org.deps.store)).toHaveLength(1)
  })
})

describe('the items of a request', () => {
  it('are undone one by one', async () => {
    const { org, invoice } = await sample()
    const line = (weight: string): SaveItem => ({ op: 'insert', object: 'line', values: { invoice, weight } })
    const outcomes = await org.run([line('1'), line('x'), line('2')])
    expect(outcomes.map(({ ok }) => ok)).toEqual([true, false, true])
    expect(await org.read('invoice', invoice, 'lines', 'weight')).toEqual(['2', '3.00'])
  })

  it('are undone together if one must not fail alone', async () => {
    const { org, invoice } = await sample()
    const line = (weight: string): SaveItem => ({ op: 'insert', object: 'line', values: { invoice, weight } })
    await expect(org.run([line('1'), line('x'), line('2')], true)).rejects.toThrow(/not valid/)
    expect(await org.read('invoice', invoice, 'lines', 'weight')).toEqual(['0', null])
  })

  it('are undone together if they take too long', async () => {
    const { org, invoice } = await sample()
    let seconds = 0
    org.deps.clock.now = () => `2026-01-01T00:00:0${(seconds += 1) > 9 ? 9 : seconds}.000Z`
    const line: SaveItem = { op: 'insert', object: 'line', values: { invoice, weight: '1' } }
    await expect(org.run([line, line])).rejects.toThrow(/more than 5 seconds/)
    expect(await org.read('invoice', invoice, 'lines')).toEqual(['0'])
  })
})

describe('refused are', () => {
  it.each<[string, (sides: Awaited<ReturnType<typeof sample>>) => SaveItem, unknown]>([
    ['an unknown object', () => ({ op: 'insert', object: 'invoise', values: {} }), ['object.not_found', []]],
    [
      'a record that does not exist',
      () => ({ op: 'update', object: 'invoice', id: idOf(9), version: null, values: {} }),
      ['record.not_found', []],
    ],
    [
      'a record of another object',
      ({ customer }) => ({ op: 'update', object: 'invoice', id: customer, version: null, values: {} }),
      ['record.not_found', []],
    ],
    [
      'a stale version',
      ({ invoice }) => ({ op: 'update', object: 'invoice', id: invoice, version: 7, values: {} }),
      ['conflict.stale_version', [{ version: 1 }]],
    ],
    [
      'unknown, computed and wrong values, all at once',
      ({ invoice }) => ({
        ...{ op: 'update', object: 'invoice', id: invoice, version: 1 },
        values: { nett: '1', total: '1', net: 'x', lines: 3 },
      }),
      [
        'record.invalid',
        [
          {
            field: 'nett',
            code: 'record.unknown_field',
            message: expect.stringMatching(/Did you mean "net"/),
          },
          { field: 'total', code: 'record.computed_field' },
          { field: 'net', code: 'record.value' },
          { field: 'lines', code: 'record.computed_field' },
        ],
      ],
    ],
    [
      'a value that another record has',
      ({ customer }) => ({
        ...{ op: 'insert', object: 'invoice' },
        values: { number: 'R-1', customer, tax_point: '2022-01-01' },
      }),
      ['record.invalid', [{ field: 'number', code: 'record.not_unique' }]],
    ],
    [
      'a value that cannot be computed',
      ({ invoice }) => ({
        ...{ op: 'update', object: 'invoice', id: invoice, version: 1 },
        values: { tax_point: '1999-01-01' },
      }),
      ['record.invalid', [{ field: 'tax', code: 'config.not_effective' }]],
    ],
    [
      'the removal of a record that others refer to',
      ({ customer }) => ({ op: 'delete', object: 'customer', id: customer, version: null }),
      ['record.referenced', [{ record: expect.stringMatching(/^invoice\//) }]],
    ],
  ])('%s', async (_name, item, expected) => {
    const sides = await sample()
    const [code, details] = await sides.org.refused(item(sides))
    expect([code, details]).toMatchObject(expected as never)
  })

  it('chains of saves that are too deep, naming them', async () => {
    const node = {
      fields: [
        { key: 'parent', type: 'reference', references: 'node' },
        { key: 'own', type: 'number', precision: 9, scale: 0 },
        {
          key: 'depth',
          type: 'number',
          precision: 9,
          scale: 0,
          rollup: { child: 'node', via: 'parent', op: 'count' },
        },
        {
          key: 'path',
          type: 'text',
          formula: { expression: 'coalesce(parent.path, "") + "/" + text(own)', stored: true },
        },
      ],
    }
    const org = new Org({ 'object/node': node })
    let parent = await org.insert('node', { own: '0' })
    const root = parent
    for (let n = 1; n < 9; n += 1) parent = await org.insert('node', { own: String(n), parent })
    await expect(org.update('node', root, { own: '9' })).rejects.toThrow(
      /more than 8 levels deep: node → node/,
    )
  })

  it('automations that trigger each other without end, naming their objects', async () => {
    const creates = (from: string, to: string): object => ({
      ...{ object: from, phase: 'after_write' },
      actions: [{ type: 'create', key: 'next', object: to, values: { name: 'name' } }],
    })
    const named = { fields: [{ key: 'name', type: 'text' }] }
    const org = new Org({
      ...{ 'object/ping': named, 'object/pong': named },
      ...{ 'automation/a': creates('ping', 'pong'), 'automation/b': creates('pong', 'ping') },
    })
    const [outcome] = await org.run([{ op: 'insert', object: 'ping', values: { name: 'x' } }])
    expect(outcome).toMatchObject({ ok: false, error: { code: 'limit.save_depth' } })
    expect((outcome as { error: Error }).error.message).toMatch(
      /: (ping → pong → ){4}ping\. Change an automation, a roll-up or a formula in this chain\.$/,
    )
  })
})

describe('a user', () => {
  const all = { create: true, read: true, update: true, delete: true }
  const edit = { read: true, edit: true }
  const clerk: Person = {
    ...{ user: 'clerk', permissionSets: ['clerks'] },
    objects: { customer: { read: true }, invoice: all },
    fields: {
      'invoice.number': edit,
      'invoice.customer': edit,
      'invoice.tax_point': edit,
      'invoice.tax': { read: true },
      'invoice.net': { read: true },
      'invoice.owner': { read: true },
    },
  }
  const rule = { key: 'paid', when: 'state == "paid"', permissionSet: 'clerks', access: 'read' }
  const shared = (sharing: object, customer: object = { default: 'read' }): Bodies => {
    const owner = { key: 'owner', type: 'text' }
    return {
      ...billing(),
      'permission_set/clerks': {},
      'object/invoice': {
        ...billing()['object/invoice'],
        fields: [...fieldsOf(billing(), 'invoice'), owner],
        sharing: { ownerField: 'owner', ...sharing },
      },
      'object/customer': { ...billing()['object/customer'], sharing: customer },
    }
  }

  async function asClerk(bodies: Bodies): ReturnType<typeof sample> {
    const sides = await sample()
    sides.org.deploy(bodies)
    sides.org.person = clerk
    return sides
  }

  it('owns what they add', async () => {
    const { org, customer, invoice } = await asClerk(shared({}))
    const own = await org.insert('invoice', { number: 'R-7', customer, tax_point: '2022-01-01' })
    expect(await org.read('invoice', own, 'owner')).toEqual(['clerk'])
    await org.update('invoice', own, { number: 'R-8' })
    const others = {
      op: 'update',
      object: 'invoice',
      id: invoice,
      version: null,
      values: { number: 'R-9' },
    } as const
    expect(await org.refused(others)).toEqual(
      await org.refused({ ...others, id: idOf(77) }).then(([code]) => [code, []]),
    )
    expect((await org.refused({ op: 'delete', object: 'invoice', id: invoice, version: null }))[0]).toBe(
      'record.not_found',
    )
  })

  it('can read but not change what a rule shares', async () => {
    const { org, invoice } = await asClerk(shared({ rules: [rule] }))
    const change: SaveItem = { op: 'update', object: 'invoice', id: invoice, version: null, values: {} }
    expect((await org.refused(change))[0]).toBe('record.not_found')
    org.person = { user: 'admin', platformRoot: true }
    await org.update('invoice', invoice, { state: 'paid' })
    org.person = clerk
    expect(await org.refused(change)).toEqual([
      'access.denied',
      [{ id: `invoice/${invoice}`, permission: 'update' }],
    ])
    org.deploy(shared({ rules: [{ ...rule, access: 'read_write' }] }))
    await org.update('invoice', invoice, { number: 'R-9' })
  })

  it('sees no object without a right on it, and adds no record without the right to', async () => {
    const { org, invoice } = await asClerk(shared({}))
    const line: SaveItem = { op: 'insert', object: 'line', values: { invoice } }
    expect(await org.refused(line)).toEqual(['object.not_found', []])
    const customer: SaveItem = { op: 'insert', object: 'customer', values: {} }
    expect(await org.refused(customer)).toEqual(['access.denied', [{ id: 'customer', permission: 'create' }]])
  })

  it('cannot send a field that is hidden, which does not exist, or one that is read-only', async () => {
    const { org, customer } = await asClerk(shared({}))
    const values = { number: 'R-7', customer, tax_point: '2022-01-01' }
    const problems = async (more: object): Promise<readonly unknown[]> =>
      (await org.refused({ op: 'insert', object: 'invoice', values: { ...values, ...more } }))[1]
    expect(await problems({ reminder: '1', remindr: '1', reminde: 'x', net: '5' })).toEqual([
      { field: 'reminder', code: 'record.unknown_field', message: 'invoice has no field "reminder".' },
      { field: 'remindr', code: 'record.unknown_field', message: 'invoice has no field "remindr".' },
      { field: 'reminde', code: 'record.unknown_field', message: 'invoice has no field "reminde".' },
      { field: 'net', code: 'access.denied', message: expect.stringMatching(/"edit" on invoice.net/) },
    ])
  })

  it('cannot refer to a record that they cannot see, as if it did not exist', async () => {
    const { org, customer } = await asClerk(shared({}, { default: 'private' }))
    const problems = async (id: string): Promise<readonly unknown[]> => {
      const values = { number: 'R-7', customer: id, tax_point: '2022-01-01' }
      return (await org.refused({ op: 'insert', object: 'invoice', values }))[1]
    }
    const found = JSON.stringify(await problems(customer))
    expect(found).toContain('record.unknown_reference')
    expect(found.replaceAll(customer, '#')).toBe(
      JSON.stringify(await problems(idOf(77))).replaceAll(idOf(77), '#'),
    )
  })

  it('changes roll-ups of records that they cannot see, and sees nothing of their problems', async () => {
    const { org, invoice } = await asClerk(shared({}))
    org.person = {
      ...clerk,
      objects: { line: { create: true, read: true }, invoice: { read: true, viewAll: true } },
      fields: { 'line.invoice': edit, 'line.weight': edit },
    }
    await org.insert('line', { invoice, weight: '3' })
    expect(await org.read('invoice', invoice, 'weight')).toEqual(['3.00'])
    const [, problems] = await org.refused({
      op: 'insert',
      object: 'line',
      values: { invoice, weight: '9999999999' },
    })
    expect(problems).toEqual([
      { field: null, code: 'record.value', message: 'A field that you cannot see has no valid value.' },
    ])
  })

  it('is shown only those referrers that they can see', async () => {
    const { org, customer } = await asClerk(shared({}))
    org.person = { ...clerk, objects: { customer: { ...all, modifyAll: true }, invoice: { read: true } } }
    const removal: SaveItem = { op: 'delete', object: 'customer', id: customer, version: null }
    expect(await org.refused(removal)).toEqual(['record.referenced', []])
  })
})

it('a number that outgrows its column keeps its values', async () => {
  const { org, invoice } = await sample()
  const wider = fieldsOf(billing(), 'invoice').map((field) =>
    field['key'] === 'net' ? { ...field, precision: 30, scale: 4 } : field,
  )
  org.deploy({ ...billing(), 'object/invoice': { fields: wider } })
  await org.insert('invoice', { number: 'R-9', tax_point: '2022-01-01' })
  expect(await org.read('invoice', invoice, 'net')).toEqual(['100.0000'])
})

it('a bound value that is shown with more decimals than before has not changed', async () => {
  const { org, invoice } = await sample()
  const line = await org.insert('line', { invoice, weight: '2' })
  const wider = fieldsOf(billing(), 'invoice').map((field) =>
    field['key'] === 'tax' ? { ...field, precision: 30, scale: 4 } : field,
  )
  org.deploy({ ...billing(), 'object/invoice': { fields: wider } })
  await org.update('invoice', invoice, {})
  expect(await org.read('invoice', invoice, 'tax')).toEqual(['19.0000'])
  await org.update('line', line, { weight: '2' })
  expect((await org.record('invoice', invoice))?.version).toBe(3)
})
