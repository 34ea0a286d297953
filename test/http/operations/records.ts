// Requests for each operation on records: those of any object, and those of each object of the document.
import type { ApiDocument } from './api-document.ts'

interface Saved {
  id: string
  version: number
  fields: Record<string, unknown>
}

/** By object, as few fields as a new record needs. */
const newFields: Record<string, (ids: Record<string, string>) => Record<string, unknown>> = {
  customer: () => ({ name: 'Ada', territory: 'DE', city: 'Bonn' }),
  invoice: ({ customer }) => ({
    ...{ number: 'R-1', customer, territory: 'DE', tax_point: '2021-08-15', state: 'draft' },
  }),
  invoice_line: ({ invoice }) => ({ invoice, description: 'Lens', quantity: '2', unit_price: '50' }),
}
const textField: Record<string, string> = { customer: 'name', invoice: 'number', invoice_line: 'description' }

async function loadRows(api: ApiDocument, object: string): Promise<void> {
  const { body: job } = await api.send<{ id: string }>('createIngest', {
    body: { object, operation: 'update', format: 'jsonl', columns: ['id', 'city'] },
  })
  const path = { id: job.id }
  await api.send('putIngestPart', { path: { ...path, n: 1 }, body: '{"id":"a","city":"Jena"}\n' })
  await api.send('abortIngest', { path })
  await api.send('getIngest', { path })
  await api.send('listIngests', { query: { state: 'aborted', limit: '2' } })
  await api.send('getIngestResults', { path, query: { outcome: 'failed', format: 'csv' } })
  await api.send('getIngestRows', { path, query: { of: 'unprocessed' } })
  const { body: again } = await api.send<{ id: string }>('createIngest', {
    body: { object, operation: 'insert', format: 'csv' },
  })
  await api.send('putIngestPart', { path: { id: again.id, n: 1 }, body: 'name,city\nEve,Ulm\n' })
  await api.send('closeIngest', { path: { id: again.id }, body: { parts: 1 } })
}

export async function saveAnyRecords(api: ApiDocument): Promise<void> {
  const object = 'customer'
  const fields = newFields[object]!({})
  await api.send('listObjects')
  await api.send('describeObject', { path: { object } })
  const { body } = await api.send<Saved>('insertRecord', {
    path: { object },
    body: fields,
    headers: { 'Idempotency-Key': 'first' },
  })
  const { id, version } = body
  const path = { object, id }
  await api.send('updateRecord', { path, body: { city: 'Ulm' }, headers: { 'If-Match': `"${version}"` } })
  await api.send('getRecord', { path })
  await api.send('getRecord', { path, query: { fields: 'name,city' } })
  await api.send('getRecordHistory', { path })
  await api.send('explainValue', { path: { ...path, field: 'invoiced' } })
  await api.send('listRecordViewers', { path })
  await api.send('recomputeRecord', { path, headers: { 'Idempotency-Key': 'second' } })
  await saveAll(api, 'saveBatch', { path: { object }, body: { records: [{ op: 'insert', fields }] } })
  await saveAll(api, 'saveObjectBatch', {
    body: { allOrNone: true, records: [{ object, op: 'update', id, fields: { city: 'Jena' } }] },
  })
  await api.send('queryRecords', {
    body: {
      ...{ object, fields: ['name', 'invoiced'], filter: 'city == "Jena"', limit: 10 },
      orderBy: [{ field: 'name', dir: 'desc' }],
    },
  })
  await api.send('searchRecords', { path: { object }, body: { text: 'Ad', fields: ['name', 'city'] } })
  await api.send('evaluateForRecord', {
    body: { id, expression: 'name', site: { kind: 'virtual_formula', object, field: 'city' } },
  })
  const { body: job } = await api.send<{ id: string }>('startRecordJob', { body: { kind: 'replay', object } })
  await api.send('abortRecordJob', { path: { id: job.id } })
  await api.send('getRecordJob', { path: { id: job.id } })
  await api.send('listRecordJobs', { query: { limit: '2' } })
  await loadRows(api, object)
  await api.send('eraseRecord', { body: { object, id, reason: 'Request 7' } })
  await api.send('deleteRecord', { path, headers: { 'If-Match': '*' } })
}

/** An operation that is granted to the administrator. */
export async function callOperations(api: ApiDocument): Promise<void> {
  const body = {
    ...{ phase: 'invocable', grantedTo: ['administrator'], params: [{ key: 'city', type: 'text' }] },
    actions: [
      {
        ...{ key: 'customer', type: 'create', object: 'customer' },
        values: { name: '"Ada"', territory: '"DE"', city: 'city' },
      },
    ],
    returns: { title: '"Ada in " + city' },
  }
  const component = { type: 'automation', key: 'add_ada', label: 'Add Ada', body }
  await api.send('apply', { body: { components: [component] } })
  await api.send('invokeOperation', {
    path: { operation: 'add_ada' },
    body: { params: { city: 'Ulm' } },
    headers: { 'Idempotency-Key': 'third' },
  })
}

/** A batch responds with success even if its items fail. */
async function saveAll(api: ApiDocument, operation: string, request: object): Promise<void> {
  const { body } = await api.send<{ results: { status: number }[] }>(operation, request)
  for (const result of body.results)
    if (result.status >= 300) api.problems.push(`${operation}: ${JSON.stringify(result)}`)
}

/** The operations of each object, with the schemas of its fields. */
export async function saveRecordsOfEachObject(api: ApiDocument): Promise<void> {
  const ids: Record<string, string> = {}
  const saved: [object: string, id: string][] = []
  for (const [object, fieldsOf] of Object.entries(newFields)) {
    const fields = fieldsOf(ids)
    await api.send(`describeObject_${object}`)
    const { body } = await api.send<Saved>(`insertRecord_${object}`, { body: fields })
    const { id, version } = body
    ids[object] = id
    saved.push([object, id])
    const text = textField[object]!
    await api.send(`updateRecord_${object}`, {
      path: { id },
      body: { [text]: fields[text] },
      headers: { 'If-Match': `"${version}"` },
    })
    await api.send(`getRecord_${object}`, { path: { id } })
    await api.send(`getRecord_${object}`, { path: { id }, query: { fields: text } })
    await saveAll(api, `saveBatch_${object}`, {
      body: {
        records: [
          { op: 'update', id, fields: { [text]: `${String(fields[text])}.` } },
          { op: 'recompute', id },
        ],
      },
    })
    await api.send(`searchRecords_${object}`, { body: { text: String(fields[text]), fields: [text] } })
  }
  const line = { object: 'invoice_line', id: ids['invoice_line']!, field: 'amount' }
  await api.send('exportValueEvidence', { path: line })
  const { body: archived } = await api.send<{ archive: string }>('archiveValue', { path: line })
  await api.send('listArchives')
  await api.send('nameRecords', { body: { records: [{ object: 'invoice_line', id: line.id }] } })
  await api.send('exportArchive', { path: { id: archived.archive } })
  await api.send('removeArchive', { path: { id: archived.archive } })
  for (const [object, id] of saved.reverse())
    await api.send(`deleteRecord_${object}`, { path: { id }, headers: { 'If-Match': '*' } })
}
