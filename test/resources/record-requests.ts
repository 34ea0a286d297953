// The largest requests to records: of customers, whom the sample's administrators can read and change.
import { setTimeout } from 'node:timers/promises'
import type { MeasuredServer } from './measured-server.ts'
import type { Make, Scene } from './most-asked.ts'

/** As many as a batch can have. */
const mostItems = 200
const longName = 'x'.repeat(5000)
const customers = '/data/v3/customer'
const place = { object: 'customer' }
const fields = ['name', 'city', 'tax_number']

async function aCustomer({ server }: Scene): Promise<string> {
  const body = { name: 'Measured', territory: 'DE' }
  return (await server.ask<{ id: string }>('POST', customers, body)).id
}

async function manyCustomers({ server }: Scene): Promise<void> {
  await server.ask('POST', `${customers}/batch`, { records: insertsOf(mostItems), allOrNone: true })
}

const insertsOf = (count: number): object[] =>
  Array.from({ length: count }, () => ({ op: 'insert', fields: { name: longName, territory: 'DE', city: longName } }))

async function aJob(scene: Scene): Promise<string> {
  await manyCustomers(scene)
  return (await startedJob(scene.server)).id
}

const startedJob = ({ ask }: MeasuredServer): Promise<{ id: string }> =>
  ask('POST', '/setup/v3/jobs', { kind: 'recompute', object: 'customer' })

/** Binds the stored values of an object to the active generation. */
export async function rebindAll({ ask }: MeasuredServer, object: string): Promise<void> {
  const { id } = await ask<{ id: string }>('POST', '/setup/v3/jobs', { kind: 'rebind', object })
  for (;;) {
    const { state } = await ask<{ state: string }>('GET', `/setup/v3/jobs/${id}`)
    if (state === 'completed') return
    if (state !== 'queued' && state !== 'processing') throw new Error(`The job of ${object}: ${state}`)
    await setTimeout(50)
  }
}

const ingests = '/data/v3/jobs/ingest'

/** Rows for the columns of a job. */
const rowsOf = (count: number): string =>
  Array.from({ length: count }, (_, at) => `${fields.map((name) => `${name} ${at}`).join(',')}\n`).join('')

async function anIngest({ server }: Scene): Promise<string> {
  const request = { ...place, operation: 'insert', format: 'csv', columns: fields }
  // A user can have a limited number of jobs that have not ended.
  const { jobs } = await server.ask<{ jobs: { id: string }[] }>('GET', `${ingests}?state=open`)
  for (const { id } of jobs) await server.ask('POST', `${ingests}/${id}/abort`)
  return (await server.ask<{ id: string }>('POST', ingests, request)).id
}

/** A condition of the greatest length that a filter can have. */
const longFilter = Array.from({ length: 300 }, (_, at) => `city == "${at}"`).join(' || ')

const memo = { channel: 'memo' }

async function aChannel({ server }: Scene): Promise<void> {
  const body = { schema: [{ key: 'text', type: 'text' }], maxBytes: 1_048_576 }
  const grants = { read: { administrator: 'read' }, publish: { administrator: 'publish' } }
  const component = { type: 'event_channel', key: 'memo', label: 'Memo', body: { ...body, ...grants } }
  await server.ask('POST', '/metadata/v3/apply', { components: [component], rationale: 'A channel' })
}

/** As many events as a request can have. */
const manyEvents = { events: Array.from({ length: 200 }, () => ({ payload: { text: 'x'.repeat(9000) } })) }

async function publishMany(scene: Scene): Promise<void> {
  await aChannel(scene)
  await scene.server.ask('POST', '/events/v3/channels/memo/publish', manyEvents)
}

async function aSubscription(scene: Scene): Promise<void> {
  await publishMany(scene)
  await scene.server.ask('PUT', '/events/v3/subscriptions/erp', { ...memo, from: 'earliest' })
}

const channelRequests: Record<string, Make> = {
  publishEvents: async (scene) => {
    await aChannel(scene)
    return { at: memo, body: manyEvents }
  },
  putSubscription: async (scene) => {
    await publishMany(scene)
    return { at: { name: 'erp' }, body: { ...memo, from: 'earliest' } }
  },
  ackSubscription: async (scene) => {
    await aSubscription(scene)
    return { at: { name: 'erp' }, body: { cursor: '0:1' } }
  },
  deleteSubscription: async (scene) => {
    await aSubscription(scene)
    return { at: { name: 'erp' } }
  },
  deleteSubscriptions: async (scene) => {
    await aSubscription(scene)
    return { body: { filter: { channel: memo.channel }, limit: 200 } }
  },
}

export const recordRequests: Record<string, Make> = {
  insertRecord: () => ({ at: place, body: { name: longName, territory: 'DE', city: longName, tax_number: longName } }),
  updateRecord: async (scene) => ({
    at: { ...place, id: await aCustomer(scene) },
    ...{ headers: { 'if-match': '*' }, body: { name: longName, city: longName } },
  }),
  recomputeRecord: async (scene) => ({ at: { ...place, id: await aCustomer(scene) } }),
  deleteRecord: async (scene) => ({ at: { ...place, id: await aCustomer(scene) } }),
  saveBatch: () => ({ at: place, body: { records: insertsOf(mostItems) } }),
  saveObjectBatch: () => ({
    body: { records: insertsOf(mostItems).map((item) => ({ ...place, ...item })), allOrNone: true },
  }),
  queryRecords: async (scene) => {
    await manyCustomers(scene)
    return { body: { ...place, fields, orderBy: [{ field: 'city', dir: 'asc' }], limit: 2000 } }
  },
  searchRecords: async (scene) => {
    await manyCustomers(scene)
    return { at: place, body: { text: 'x', fields, limit: 2000 } }
  },
  nameRecords: async ({ server }) => {
    const inserts = { records: insertsOf(mostItems), allOrNone: true }
    const { results } = await server.ask<{ results: { id: string }[] }>('POST', `${customers}/batch`, inserts)
    return { body: { records: results.map(({ id }) => ({ ...place, id })) } }
  },
  startRecordJob: async (scene) => {
    await manyCustomers(scene)
    return { body: { kind: 'recompute', ...place, filter: longFilter } }
  },
  ...channelRequests,
  createIngest: () => ({ body: { ...place, operation: 'insert', format: 'csv', columns: fields } }),
  putIngestPart: async (scene) => ({
    at: { id: await anIngest(scene), n: '1' },
    headers: { 'content-type': 'text/csv' },
    body: rowsOf(1_000_000),
  }),
  closeIngest: async (scene) => {
    const id = await anIngest(scene)
    await scene.server.ask('PUT', `${ingests}/${id}/parts/1`, rowsOf(20_000))
    return { at: { id }, body: { parts: 1 } }
  },
  abortIngest: async (scene) => ({ at: { id: await anIngest(scene) } }),
  abortRecordJob: async (scene) => ({ at: { id: await aJob(scene) } }),
}
