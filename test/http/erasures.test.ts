// Erasures over HTTP, while a server has the org open: who can start one, and what it leaves.
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { checkFolder } from '../../server/compose/check.ts'
import { isErased } from '../../server/kernel/records/index.ts'
import { billing } from '../../server/kernel/records/fixture.ts'
import { apply, billingComponents, clerk, signIn } from '../support/billing-org.ts'
import { runningServer, type Ask, type TestServer } from '../support/running-server.ts'

interface Saved {
  id: string
  fields: Record<string, unknown>
}

const bodies = billing()
const customer = bodies['object/customer'] as { fields: { key: string }[] }
const sensitive = {
  ...bodies,
  'object/customer': {
    fields: customer.fields.map((field) => (field.key === 'name' ? { ...field, sensitive: true } : field)),
  },
}
const operator = {
  ...{ type: 'permission_set', key: 'operator', label: 'Operator' },
  body: { systemPermissions: ['operations.manage', 'audit.read'] },
}
const name = 'Jane Zephyrine'

let test: TestServer
let ada: Ask
let cid: Ask
beforeAll(async () => {
  test = await runningServer()
  await apply(test.studio, [...billingComponents(sensitive), clerk(sensitive), operator])
  ;({ ada, cid } = (await signIn(test, [
    { key: 'ada', permissionSets: ['clerk', 'operator'] },
    { key: 'cid', permissionSets: ['clerk'] },
  ])) as { ada: Ask; cid: Ask })
})
afterAll(() => test.close())

async function added(invoices: number): Promise<string> {
  const { body } = await ada<Saved>('POST', '/data/v3/customer', { name, country: 'DE' })
  for (let from = 0; from < invoices; from += 150)
    await ada('POST', '/data/v3/invoice/batch', {
      records: Array.from({ length: Math.min(150, invoices - from) }, (_, at) => ({
        op: 'insert',
        fields: { number: `${body.id} ${from + at}`, customer: body.id, tax_point: '2022-01-01', net: '100' },
      })),
    })
  return body.id
}

const isInFiles = (): boolean =>
  readdirSync(test.dir).some(
    (file) => /sqlite/.test(file) && readFileSync(join(test.dir, file)).includes(name),
  )

describe('an erasure', () => {
  it('removes the values from the files of a running server, and from what it returns', async () => {
    const id = await added(3)
    expect(isInFiles()).toBe(true)
    const reply = await ada('POST', '/setup/v3/erasures', { object: 'customer', id, reason: 'request 17' })
    expect([reply.status, reply.body]).toEqual([
      200,
      { fields: ['name'], records: 4, changes: expect.any(Number), continues: false },
    ])
    expect(isInFiles()).toBe(false)
    const { body } = await ada<Saved>('GET', `/data/v3/customer/${id}`)
    expect(isErased(body.fields['name'])).toBe(true)
    const history = await ada<{ changes: { operation: string }[] }>('GET', `/data/v3/customer/${id}/history`)
    expect(history.text).toContain('"erase"')
    expect(history.text).not.toContain(name)
    const audit = await ada<{ rows: object[] }>('GET', '/metadata/v3/audit?kind=record.erased')
    expect(audit.body.rows).toMatchObject([{ actor: 'ada', rationale: 'request 17' }])
  })

  it('continues as a job if many records read the values', async () => {
    const id = await added(250)
    const { body } = await ada('POST', '/setup/v3/erasures', { object: 'customer', id, reason: 'request 18' })
    expect(body).toMatchObject({ records: 251, continues: true })
    for (;;) {
      const { body: listed } = await ada<{ jobs: { kind: string; state: string }[] }>('GET', '/setup/v3/jobs')
      const job = listed.jobs.find(({ kind }) => kind === 'erase')!
      if (job.state === 'completed') break
      expect(['queued', 'processing']).toContain(job.state)
      await new Promise((done) => setTimeout(done, 20))
    }
    expect(isInFiles()).toBe(false)
  })

  it('reaches each event that refers to the record, in whichever field', async () => {
    const schema = [
      { key: 'first', type: 'reference', references: 'customer' },
      { key: 'second', type: 'reference', references: 'customer' },
      { key: 'text', type: 'text' },
    ]
    const grants = { read: { clerk: 'read' }, publish: { clerk: 'publish' } }
    await apply(test.studio, [
      {
        ...{ type: 'event_channel', key: 'merged', label: 'Merged' },
        body: { schema, partitions: 1, ...grants },
      },
      {
        ...{ type: 'automation', key: 'announce_merge', label: 'Announce' },
        body: {
          ...{ object: 'merge', phase: 'after_write' },
          actions: [
            {
              ...{ type: 'publish', key: 'a', channel: 'merged' },
              payload: { first: 'other', second: 'customer', text: 'note' },
            },
          ],
        },
      },
      {
        ...{ type: 'object', key: 'merge', label: 'Merge' },
        body: {
          fields: [
            { key: 'other', type: 'reference', references: 'customer' },
            { key: 'customer', type: 'reference', references: 'customer' },
            { key: 'note', type: 'text' },
          ],
          nameField: 'note',
        },
      },
      {
        ...{ type: 'permission_set', key: 'merger', label: 'Merger' },
        body: {
          objects: { merge: { create: true, read: true } },
          fields: Object.fromEntries(
            ['other', 'customer', 'note'].map((key) => [`merge.${key}`, { read: true, edit: true }]),
          ),
        },
      },
    ])
    const sets = { permissionSets: ['clerk', 'operator', 'merger'] }
    expect((await test.studio('PUT', '/setup/v3/users/ada/permission-sets', sets)).status).toBeLessThan(300)
    const [kept, erased] = [await added(0), await added(0)]
    const events = '/events/v3/channels/merged'
    const payload = { first: kept, second: erased, text: name }
    expect((await ada('POST', `${events}/publish`, { payload })).status).toBe(202)
    const merge = { other: kept, customer: erased, note: name }
    expect((await ada('POST', '/data/v3/merge', merge)).status).toBe(201)
    const texts = async (): Promise<unknown[]> => {
      const { body } = await ada<{ events: { payload: { text: unknown } }[] }>('GET', `${events}/events`)
      return body.events.map((event) => event.payload.text)
    }
    await expect.poll(texts, { timeout: 10_000 }).toEqual([name, name])
    const { status } = await ada('POST', '/setup/v3/erasures', {
      ...{ object: 'customer', id: erased, reason: 'request 20' },
    })
    expect(status).toBe(200)
    for (const text of await texts()) expect(isErased(text as never)).toBe(true)
    expect(checkFolder(test.dir).findings).toEqual([])
  })

  it('needs the permission to manage operations, and a reason', async () => {
    const id = await added(0)
    const request = { object: 'customer', id, reason: 'request 19' }
    expect(await cid('POST', '/setup/v3/erasures', request)).toMatchObject({ status: 403 })
    expect(await ada('POST', '/setup/v3/erasures', { ...request, reason: ' ' })).toMatchObject({
      status: 400,
    })
    expect(await ada('POST', '/setup/v3/erasures', { ...request, reason: `for ${name}` })).toMatchObject({
      ...{ status: 422, body: { code: 'request.invalid' } },
    })
    expect((await ada<Saved>('GET', `/data/v3/customer/${id}`)).body.fields['name']).toBe(name)
  })
})
