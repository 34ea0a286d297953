// Erasures over a real org: no table and no byte of its files contains the values afterwards.
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { checkFolder } from '../../server/compose/check.ts'
import { enginesOf } from '../../server/compose/engines.ts'
import { initOrg, type OpenedOrg } from '../../server/compose/open-org.ts'
import { orgFile } from '../../server/compose/org-folder.ts'
import { runLeftJobs } from '../../server/compose/record-jobs.ts'
import { effectiveAccess } from '../../server/access/index.ts'
import { purgeBefore } from '../../server/pipeline/index.ts'
import { isErased } from '../../server/kernel/records/index.ts'
import type { ClaimedCall } from '../../server/outbox/outbox-writes.ts'
import type { OutboxProblem } from '../../server/ports/outbox.ts'
import type { CallerOf, CommandItem, Records, SaveReply } from '../../server/records/index.ts'
import { publishedEvents } from '../support/published-events.ts'

const text = (key: string, more: object = {}) => ({ key, type: 'text', ...more })
const reference = (key: string, references: string) => ({ key, type: 'reference', references })
const stored = (expression: string) => ({ formula: { expression, stored: true } })
const grant = { read: true, create: true, update: true, delete: true, viewAll: true, modifyAll: true }

const people = [
  text('name', { sensitive: true, required: true }),
  text('email', { sensitive: true, unique: true }),
  text('nick', { sensitive: true }),
  text('country'),
  text('greeting', stored('"Dear " + name')),
  text('shout', stored('nick + "!"')),
  { key: 'length', type: 'number', precision: 9, scale: 0, ...stored('size(email)') },
]
const person = {
  fields: people,
  nameField: 'name',
  validationRules: [{ key: 'short', when: 'size(name) > 25', message: 'The name is too long.' }],
}
const order = {
  fields: [
    text('number', { required: true }),
    reference('buyer', 'person'),
    text('label', stored('buyer.greeting + " " + number')),
    text('copy', stored('buyer.name')),
    text('pet', stored('buyer.nick')),
  ],
  validationRules: [{ key: 'short', when: 'number == "O-3" && size(copy) > 25', message: 'Too long.' }],
}
const parcel = { fields: [reference('order', 'order'), text('to', stored('order.label'))] }

const [jane, email, nick, later] = ['Jane Zephyrine', 'jane@zephyrine.example', 'Zephy', 'Jane Quillfeather']
const secrets = [jane, email, nick, later, 'zephyrine', 'quillfeather']

let folder: string
let org: OpenedOrg
let records: Records
let rights: Record<string, object>
const by = { actor: 'admin', correlationId: 'c-9', isOperator: true }

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'almanac-erasure-'))
  org = initOrg(join(folder, 'org'), { name: 'Erasure', environment: 'test' })
  const engines = enginesOf(org)
  records = engines.records
  rights = {}
  await deploy({ 'object/person': person, 'object/order': order, 'object/parcel': parcel })
  await engines.access.addUser(by, { key: 'clara', name: 'Clara', permissionSets: ['clerk'] })
})
afterEach(async () => {
  await org.close()
  rmSync(folder, { recursive: true, force: true })
})

async function deploy(bodies: Record<string, object>): Promise<void> {
  const components = Object.entries(bodies).map(([id, body]) => {
    const [type = '', key = ''] = id.split('/')
    return { type, key, label: key, body, ...(type === 'object' ? { breaking: true } : {}) }
  })
  const objects = { person: grant, order: grant, parcel: grant }
  const fields = Object.fromEntries(
    Object.entries(bodies).flatMap(([id, body]) =>
      !id.startsWith('object/')
        ? []
        : (body as typeof person).fields.map(({ key }) => [
            `${id.slice('object/'.length)}.${key}`,
            { read: true, edit: true },
          ]),
    ),
  )
  rights = { ...rights, ...fields }
  // One test removes these.
  for (const key of ['person.nick', 'person.shout', 'order.pet'])
    if (!Object.hasOwn(fields, key)) delete rights[key]
  const clerk = {
    ...{ type: 'permission_set', key: 'clerk', label: 'Clerk' },
    body: { systemPermissions: ['operations.manage'], objects, fields: rights },
  }
  await org.apply({
    source: { kind: 'components', components: [...components, clerk] },
    actor: 'admin',
    rationale: 'test',
  })
}

function caller(): CallerOf {
  const generation = org.activeGeneration()
  const view = org.pin().view
  const access = org.store.read((reader) => effectiveAccess(reader, 'clara', view))
  return { access, generation, scopePath: {} }
}

const save = (item: CommandItem, key?: string): Promise<SaveReply> =>
  records.save({
    ...{ generation: org.activeGeneration(), user: 'clara', correlationId: 'c-1', scopePath: {} },
    ...{ items: [item], allOrNone: true, reply: 'records' },
    ...(key === undefined ? {} : { idempotency: { caller: 'clara', key, request: 'r' } }),
  })

async function insert(object: string, fields: Record<string, unknown>, key?: string): Promise<string> {
  const { results } = await save({ op: 'insert', object, fields }, key)
  const [result] = results
  if (!result!.ok) throw new Error(result!.error.message)
  return result!.id
}

/** Where a text is stored: tables and files. */
function placesOf(value: string): string[] {
  const places = new Set<string>()
  const db = new Database(orgFile(org.dir), { readonly: true })
  const tables = db.prepare(`SELECT name FROM sqlite_schema WHERE type = 'table'`).pluck().all() as string[]
  for (const table of tables) {
    const rows = db.prepare(`SELECT * FROM "${table}"`).safeIntegers().all()
    const json = JSON.stringify(rows, (_, each: unknown) => (typeof each === 'bigint' ? String(each) : each))
    if (json.toLowerCase().includes(value.toLowerCase())) places.add(table)
  }
  db.close()
  for (const file of readdirSync(org.dir, { recursive: true, withFileTypes: true }))
    if (file.isFile()) {
      const bytes = readFileSync(join(file.parentPath, file.name), 'latin1').toLowerCase()
      if (bytes.includes(value.toLowerCase())) places.add(file.name)
    }
  return [...places]
}
const found = (): string[] =>
  secrets.flatMap((value) => placesOf(value).map((place) => `${value} in ${place}`))

const erase = (id: string, reason = 'request 17') =>
  records.erase(caller(), by, { object: 'person', id, reason })

/** Archives every value of these objects, and returns the archives. */
async function archived(...objects: string[]): Promise<string[]> {
  const archives: string[] = []
  for (const object of objects) {
    const { id } = await records.createJob(caller(), by, { kind: 'archive', object, boundBefore: 99 })
    archives.push(id)
    let state = 'processing'
    while (state === 'processing') ({ state } = await records.stepJob(caller(), id))
  }
  return archives
}

describe('an erasure', () => {
  it('leaves the values in no table and in no byte of the files of the org', async () => {
    const id = await insert('person', { name: jane, email, nick, country: 'DE' }, 'key-1')
    const orders = [
      await insert('order', { number: 'O-1', buyer: id }, 'key-2'),
      await insert('order', { number: 'O-2', buyer: id }),
    ]
    const to = await insert('parcel', { order: orders[0] })
    const other = await insert('person', { name: 'Otto', email: 'otto@x.example', nick: 'Ott' })
    // An order that once referred to the person.
    await save({ op: 'update', object: 'order', id: orders[1]!, fields: { buyer: other } })
    await save({ op: 'update', object: 'person', id, fields: { name: later } })
    await records.createJob(caller(), by, {
      kind: 'replay',
      object: 'person',
      filter: `email == "${email}"`,
      boundBefore: undefined,
    })
    // The nickname is removed with what is computed from it; the columns stay.
    const without = <T extends { fields: { key: string }[] }>(object: T): T => ({
      ...object,
      fields: object.fields.filter(({ key }) => !['nick', 'shout', 'pet'].includes(key)),
    })
    await deploy({ 'object/person': without(person), 'object/order': without(order) })
    expect(found()).not.toEqual([])

    expect(await erase(id)).toEqual({
      ...{ fields: ['name', 'email'], records: 4, continues: false },
      changes: expect.any(Number),
    })
    expect(found()).toEqual([])
    expect(checkFolder(org.dir)).toMatchObject({ ok: true })

    const { fields } = await records.get(caller(), 'person', id)
    expect(fields).toMatchObject({ country: 'DE', greeting: `Dear ${String(fields['name'])}`, length: '29' })
    expect([isErased(fields['name']), isErased(fields['email'])]).toEqual([true, true])
    const label = `Dear ${String(fields['name'])} O-1`
    expect((await records.get(caller(), 'order', orders[0]!)).fields).toMatchObject({
      ...{ label, copy: fields['name'] },
    })
    expect((await records.get(caller(), 'parcel', to)).fields).toMatchObject({ to: label })
    // Others keep their values and their history.
    expect((await records.get(caller(), 'order', orders[1]!)).fields).toMatchObject({ copy: 'Otto' })
    const { changes } = await records.history(caller(), 'order', orders[1]!, { limit: 50 })
    expect(changes[0]!.fields).toContainEqual(expect.objectContaining({ field: 'copy', after: 'Otto' }))
  })

  it('is in the audit and in the history of the record, with the fields and the reason', async () => {
    const id = await insert('person', { name: jane, email })
    await erase(id)
    const [row] = org.store.read((reader) => reader.audit.list({ kind: 'record.erased' }))
    expect(row).toMatchObject({
      ...{ actor: 'admin', component: `record/person/${id}`, rationale: 'request 17', before: null },
      after: { fields: ['name', 'email', 'nick'] },
    })
    const { changes } = await records.history(caller(), 'person', id, { limit: 50 })
    expect(changes.map(({ operation, version }) => [operation, version])).toEqual([
      ['erase', 2],
      ['insert', 1],
    ])
    const names = changes.flatMap(({ fields }) => fields.filter(({ field }) => field === 'name'))
    // Equal values have equal hashes, so that the history stays consistent.
    expect(names[1]!.after).toBe(names[0]!.before)
    expect(isErased(names[1]!.after)).toBe(true)
  })

  it('uses a new salt each time, so that equal values of two records differ', async () => {
    const ids = [await insert('person', { name: jane }), await insert('person', { name: jane })]
    const names: unknown[] = []
    for (const id of ids) {
      await erase(id)
      names.push((await records.get(caller(), 'person', id)).fields['name'])
    }
    expect(new Set(names).size).toBe(2)
  })

  it('covers the history of a deleted record, and finds nothing the second time', async () => {
    const id = await insert('person', { name: jane, email })
    await save({ op: 'delete', object: 'person', id, fields: {} })
    expect(await erase(id)).toMatchObject({ records: 1, changes: 2 })
    expect(found()).toEqual([])
    expect(await erase(id)).toMatchObject({ records: 1, changes: 0 })
    expect(checkFolder(org.dir)).toMatchObject({ ok: true })
  })

  it('leaves many records that read the values to a job, which erases them too', async () => {
    const id = await insert('person', { name: jane, email })
    for (let at = 0; at < 205; at += 1) await insert('order', { number: `O-${at}`, buyer: id })
    expect(await erase(id)).toMatchObject({ records: 206, continues: true })
    // A change while the job runs puts the value into the history again.
    const { records: some } = await records.query(caller(), {
      object: 'order',
      orderBy: [],
      limit: 1,
    } as never)
    const update = { op: 'update', object: 'order', id: some[0]!.id, fields: { number: 'O-X' } } as const
    expect((await save(update)).results).toMatchObject([{ ok: true }])
    await expect(
      records.abortJob(
        caller(),
        (await records.jobs(caller(), { limit: 50 })).jobs.find(({ kind }) => kind === 'erase')!.id,
      ),
    ).rejects.toMatchObject({ code: 'request.invalid' })
    await runLeftJobs(org)
    expect(found()).toEqual([])
    expect(checkFolder(org.dir)).toMatchObject({ ok: true })
  })

  it('covers what saves left for after the commit before the field was sensitive', async () => {
    const open = person.fields.map((field) => (field.key === 'name' ? { ...field, sensitive: false } : field))
    await deploy({
      'object/person': { ...person, fields: open },
      'event_channel/moved': { partitionKey: 'name', schema: [{ key: 'name', type: 'text' }] },
      'automation/announce': {
        ...{ object: 'person', phase: 'after_write' },
        actions: [{ type: 'publish', key: 'a', channel: 'moved', payload: { name: '"for " + name' } }],
      },
    })
    const id = await insert('person', { name: jane })
    const names = async (): Promise<unknown[]> =>
      (await publishedEvents(org.records.store())).map(({ content }) =>
        content.kind === 'platform' ? content.payload['name'] : null,
      )
    expect(await names()).toEqual([`for ${jane}`])
    await deploy({ 'object/person': person })
    await erase(id)
    expect(await names()).toEqual([expect.stringMatching(/^for erased:/)])
    expect(found()).toEqual([])
    expect(checkFolder(org.dir)).toMatchObject({ ok: true })
  })

  describe('of a record whose call has failed', () => {
    const problemWith = (detail: string): OutboxProblem => ({
      ...{ code: 'record.invalid', class: 'validation', title: 'The record is not valid', detail },
      ...{ origin: 'record', retriable: false },
    })
    const at = '2026-01-01T00:00:00.000Z'
    const attempt = { n: 1, at, endpoint: 'PUT https://bank.example/x', status: 400, latencyMs: 5 }

    async function callOf(phase: 'after_write' | 'post_commit'): Promise<{ id: string; call: ClaimedCall }> {
      const principals = [{ key: 'service', mode: 'named', grantedTo: ['clerk'] }]
      const sending = { credential: 'bank', method: 'PUT', path: '/x', payload: { name: 'name' } }
      const type = phase === 'after_write' ? 'enqueue' : 'callout'
      await deploy({
        'external_credential/bank': { scheme: 'api_key', principals },
        'named_credential/bank': {
          ...{ url: 'https://bank.example', externalCredential: 'bank', principal: 'service' },
        },
        'automation/report': { object: 'person', phase, actions: [{ type, key: 'send', ...sending }] },
      })
      const id = await insert('person', { name: jane })
      await runLeftJobs(org)
      const [call] = await org.records.outbox.claim({
        ...{ now: '2099-01-01T00:00:00.000Z', until: '2099-01-01T00:01:00.000Z', token: 't', limit: 9 },
        ...{ limits: new Map(), defaultLimit: 9 },
      })
      return { id, call: call! }
    }
    const report = async (call: ClaimedCall): Promise<void> => {
      const error = problemWith(`The value "${jane}" is not accepted, ${jane} is too long.`)
      const [isWritten] = await org.records.outbox.change([
        {
          ...{ kind: 'dead', id: call.row.id, token: 't', at, problem: error },
          attempts: [{ ...attempt, error }],
        },
      ])
      expect(isWritten).toBe(true)
    }

    it.each(['after_write', 'post_commit'] as const)(
      'leaves no value in the problem of the call and of what waits for it (%s)',
      async (phase) => {
        const { id, call } = await callOf(phase)
        await report(call)
        await org.records.outbox.close({
          ...{ ids: [call.row.id], state: 'resolved', by: 'clara', at, reason: `asked by ${jane}` },
        })
        expect(found()).not.toEqual([])
        await erase(id)
        expect(found()).toEqual([])
        const row = await org.records.store().read((reader) => reader.outboxRow(call.row.id))
        expect(row!.problem!.detail).toMatch(
          /^The value "erased:.+" is not accepted, erased:.+ is too long\.$/,
        )
        expect(checkFolder(org.dir)).toMatchObject({ ok: true })
      },
    )

    it.each(['after_write', 'post_commit'] as const)(
      'keeps no message of a call that fails after the erasure (%s)',
      async (phase) => {
        const { id, call } = await callOf(phase)
        await erase(id)
        await report(call)
        expect(found()).toEqual([])
        const row = await org.records.store().read((reader) => reader.outboxRow(call.row.id))
        expect(row).toMatchObject({
          problem: {
            code: 'record.invalid',
            detail: 'The record is not valid. The message was erased with the record.',
          },
        })
      },
    )
  })

  it('refuses a repeated request whose reply was erased, without processing it again', async () => {
    const id = await insert('person', { name: jane }, 'key-1')
    await erase(id)
    await expect(insert('person', { name: jane }, 'key-1')).rejects.toMatchObject({ code: 'record.erased' })
    expect(
      (await records.query(caller(), { object: 'person', orderBy: [], limit: 9 } as never)).records,
    ).toHaveLength(1)
  })

  it('makes a replay report the input that was erased', async () => {
    const id = await insert('person', { name: jane, email })
    await erase(id)
    let job = await records.createJob(caller(), by, {
      kind: 'replay',
      object: 'person',
      filter: undefined,
      boundBefore: undefined,
    })
    job = await records.stepJob(caller(), job.id)
    expect(job).toMatchObject({
      ...{ state: 'completed', changed: 0, failed: 1 },
      failures: [
        {
          ...{ record: id, code: 'record.erased' },
          message: 'greeting cannot be replayed: its input name was erased.',
        },
      ],
    })
  })

  it('computes archived values again that read the erased ones, and removes their evidence', async () => {
    const id = await insert('person', { name: jane, email, nick, country: 'DE' })
    const buyer = await insert('person', { name: 'Otto', email: 'otto@x.example', nick: 'Ott' })
    const orders = [
      await insert('order', { number: 'O-1', buyer: id }),
      await insert('order', { number: 'O-2', buyer }),
    ]
    // Only the marks show what the archived values have read.
    const formulas = <T extends { fields: { key: string }[] }>(object: T): T => ({
      ...object,
      fields: object.fields.map((field) =>
        !('formula' in field)
          ? field
          : { ...field, ...stored(field.key === 'length' ? '1' : field.key === 'shout' ? '"!"' : '"new"') },
      ),
    })
    await deploy({ 'object/person': formulas(person), 'object/order': formulas(order) })
    const archives = await archived('person', 'order')
    await purgeBefore(org, by, org.activeGeneration())
    const bundles = async (): Promise<number> => {
      let count = 0
      for (const archive of archives)
        for await (const _bundle of await records.archives.evidence(caller(), archive)) count += 1
      return count
    }
    const before = await bundles()
    const kept = (await records.get(caller(), 'order', orders[1]!)).fields
    expect(kept).toMatchObject({ label: 'Dear Otto O-2', copy: 'Otto' })

    expect(await erase(id)).toMatchObject({ continues: false })
    expect(found()).toEqual([])
    expect(checkFolder(org.dir)).toMatchObject({ ok: true })
    expect((await records.get(caller(), 'person', id)).fields).toMatchObject({ greeting: 'new', length: '1' })
    expect((await records.get(caller(), 'order', orders[0]!)).fields).toMatchObject({
      label: 'new',
      copy: 'new',
    })
    expect((await records.get(caller(), 'order', orders[1]!)).fields).toEqual(kept)
    expect(before - (await bundles())).toBe(6)
  })

  it('finds what archived values have read before it was changed', async () => {
    const id = await insert('person', { name: jane, email, nick })
    const other = await insert('person', { name: 'Otto', email: 'otto@x.example' })
    const order = await insert('order', { number: 'O-1', buyer: id })
    const parcel = await insert('parcel', { order })
    await archived('parcel')
    await save({ op: 'update', object: 'order', id: order, fields: { buyer: other } })
    const to = async (): Promise<unknown> => (await records.get(caller(), 'parcel', parcel)).fields['to']
    expect(await to()).toBe(`Dear ${jane} O-1`)
    await erase(id)
    expect(found()).toEqual([])
    expect(await to()).toBe('Dear Otto O-1')
    expect(checkFolder(org.dir)).toMatchObject({ ok: true })
  })

  it.each([
    ['a record that does not exist', 'person', 'request 17', 'record.not_found'],
    ['an object that does not exist', 'people', 'request 17', 'object.not_found'],
    ['a reason that contains a value', 'person', `because ${jane.toUpperCase()} asked`, 'request.invalid'],
  ])('is refused and not audited for %s', async (_, object, reason, code) => {
    const id = await insert('person', { name: jane })
    const request = { object, id: code === 'record.not_found' ? 'x' : id, reason }
    await expect(records.erase(caller(), by, request)).rejects.toMatchObject({ code })
    expect(org.store.read((reader) => reader.audit.list({ kind: 'record.erased' }))).toEqual([])
    expect((await records.get(caller(), 'person', id)).fields).toMatchObject({ name: jane })
  })
})
