// Another process holds the write lock of the records: every request that writes them is refused as one that can be
// repeated, and nothing of it is saved.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { fillRecords } from '../../server/compose/record-jobs.ts'
import { openOrg } from '../../server/compose/open-org.ts'
import { apply, billingComponents, clerk, signIn } from '../support/billing-org.ts'
import { lockRecords } from '../support/locked-records.ts'
import { runningServer, type Answer, type Ask, type TestServer } from '../support/running-server.ts'

const busyMs = 50
const operator = {
  ...{ type: 'permission_set', key: 'operator', label: 'Operator' },
  body: { systemPermissions: ['operations.manage'] },
}
const greet = {
  ...{ type: 'automation', key: 'greet', label: 'Add a customer' },
  body: {
    phase: 'invocable',
    params: [{ key: 'name', type: 'text' }],
    grantedTo: ['clerk'],
    actions: [{ key: 'add', type: 'create', object: 'customer', values: { name: 'name', country: '"DE"' } }],
  },
}
const names = (prefix: string, count: number): object[] =>
  Array.from({ length: count }, (_, at) => ({
    op: 'insert',
    object: 'customer',
    fields: { name: `${prefix} ${at}`, country: 'DE' },
  }))
const ofOneObject = (items: object[]): object[] => items.map((item) => ({ ...item, object: undefined }))

interface Saved {
  id: string
  version: number
}

describe.each([
  ['in a worker', true],
  ['in the thread of the readers', false],
])('while another process writes the records, a server that saves %s', (_name, worker) => {
  let test: TestServer
  let ada: Ask
  let known: Saved
  let invoice: Saved
  beforeAll(async () => {
    test = await runningServer({ busyMs, worker })
    await apply(test.studio, [...billingComponents(), clerk(), operator, greet])
    ;({ ada } = (await signIn(test, [
      { key: 'ada', permissionSets: ['clerk', 'operator', 'administrator'] },
    ])) as { ada: Ask })
    known = (await ada<Saved>('POST', '/data/v3/customer', { name: 'Known', country: 'DE' })).body
    invoice = (
      await ada<Saved>('POST', '/data/v3/invoice', { number: 'B-1', tax_point: '2022-01-01', net: '100' })
    ).body
  })
  afterAll(() => test.close())

  const customers = async (): Promise<unknown[]> => {
    const { body } = await ada<{ records: { fields: { name: string } }[] }>('POST', '/data/v3/query', {
      object: 'customer',
      fields: ['name'],
      limit: 200,
    })
    return body.records.map(({ fields }) => fields.name)
  }
  const requests = (): Record<string, () => Promise<Answer>> => ({
    insert: () =>
      ada('POST', '/data/v3/customer', { name: 'New', country: 'DE' }, { 'idempotency-key': 'insert' }),
    update: () => ada('PATCH', `/data/v3/customer/${known.id}`, { name: 'Changed' }, { 'if-match': '*' }),
    delete: () => ada('DELETE', `/data/v3/customer/${known.id}`),
    recompute: () => ada('POST', `/data/v3/invoice/${invoice.id}/recompute`),
    upsert: () =>
      ada('POST', '/data/v3/invoice/batch', {
        records: [{ op: 'upsert', externalId: 'number', fields: { number: 'B-1', net: '7' } }],
      }),
    batch: () => ada('POST', '/data/v3/customer/batch', { records: ofOneObject(names('Few', 2)) }),
    'large batch': () => ada('POST', '/data/v3/customer/batch', { records: ofOneObject(names('Many', 20)) }),
    'batch of all or none': () =>
      ada('POST', '/data/v3/batch', { allOrNone: true, records: names('All', 20) }),
    'batch of several objects': () => ada('POST', '/data/v3/batch', { records: names('Mixed', 2) }),
    invoke: () => ada('POST', '/invoke/v3/greet', { params: { name: 'Greeted' } }),
    job: () => ada('POST', '/setup/v3/jobs', { kind: 'recompute', object: 'invoice' }),
    archive: () => ada('POST', `/data/v3/invoice/${invoice.id}/values/tax/archive`),
    erasure: () =>
      ada('POST', '/setup/v3/erasures', { object: 'customer', id: known.id, reason: 'asked by the person' }),
  })

  it('refuses each request as org.busy, and saves nothing of it', async () => {
    const release = await lockRecords(test.dir)
    try {
      for (const [name, send] of Object.entries(requests())) {
        const { status, body, headers, text } = await send()
        expect([name, status, body], text).toEqual([
          name,
          409,
          expect.objectContaining({ code: 'org.busy', class: 'conflict', retriable: true }),
        ])
        expect(headers.get('retry-after'), name).toBe('1')
      }
      // Several at once: some of them are computed while those before them are being written.
      const large = requests()['large batch']!
      const statuses = await Promise.all(Array.from({ length: 5 }, large))
      expect(statuses.map(({ status }) => status)).toEqual([409, 409, 409, 409, 409])
      expect(await customers()).toEqual(['Known'])
    } finally {
      await release()
    }
    expect(await customers()).toEqual(['Known'])
    const { body } = await ada<Saved>('GET', `/data/v3/customer/${known.id}`)
    expect(body.version).toBe(known.version)
  })

  it('saves the same requests once the lock is released', async () => {
    const { insert, invoke, ...others } = requests()
    expect((await insert!()).status).toBe(201)
    expect((await insert!()).status).toBe(201)
    expect((await invoke!()).status).toBe(200)
    for (const name of ['update', 'upsert', 'batch', 'large batch', 'batch of all or none']) {
      const { status, text } = await others[name]!()
      expect([name, status]).toEqual([name, 200])
      expect(text).not.toContain('"error"')
    }
    expect(await customers()).toHaveLength(45)
  })
})

it('a step of a job that meets the lock leaves the job as it was, for a later step', async () => {
  const test = await runningServer({ worker: false })
  try {
    await apply(test.studio, [...billingComponents(), clerk(), operator])
    const { ada } = (await signIn(test, [{ key: 'ada', permissionSets: ['clerk'] }])) as { ada: Ask }
    await ada('POST', '/data/v3/customer', { name: 'Ada', country: 'DE' })
    const { records, activeGeneration, close } = openOrg(test.dir, { busyMs })
    const generation = activeGeneration()
    const job = await records.jobs.create({
      ...{ kind: 'recompute', object: 'customer', filter: undefined, boundBefore: undefined },
      ...{ keepArchived: undefined, correlationId: 'c', user: 'ada', generation, scopePath: {} },
    } as never)
    const release = await lockRecords(test.dir)
    try {
      await expect(records.jobs.step({ id: job.id, generation })).rejects.toMatchObject({ code: 'org.busy' })
      expect(await records.store().read((reader) => reader.job(job.id))).toEqual(job)
    } finally {
      await release()
    }
    let after = job
    while (after.state !== 'completed') after = await records.jobs.step({ id: job.id, generation })
    expect(after).toMatchObject({ done: 1, failed: 0 })
    await close()
  } finally {
    await test.close()
  }
})

it('jobs that a command has left wait longer than a save for the lock', async () => {
  const test = await runningServer({ worker: false })
  try {
    await apply(test.studio, [...billingComponents(), clerk()])
    const { ada } = (await signIn(test, [{ key: 'ada', permissionSets: ['clerk'] }])) as { ada: Ask }
    await ada('POST', '/data/v3/customer', { name: 'Ada', country: 'DE' })
    const org = openOrg(test.dir, { busyMs })
    const release = await lockRecords(test.dir, busyMs * 4)
    await fillRecords(org)
    await release()
    await org.close()
  } finally {
    await test.close()
  }
})
