// The data API: objects and records as the caller can see them, and saves through the save order.
import { validate } from '@readme/openapi-parser'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { apply, billingComponents, clerk, signIn } from '../support/billing-org.ts'
import { runningServer, type Answer, type Ask, type TestServer } from '../support/running-server.ts'

interface Record_ {
  id: string
  object: string
  version: number
  fields: Record<string, string | boolean | null>
  errors?: Record<string, string>
}

let test: TestServer
let ada: Ask
let eve: Ask
let nobody: Ask
beforeAll(async () => {
  test = await runningServer()
  const reader = {
    ...{ type: 'permission_set', key: 'reader', label: 'Reader' },
    body: {
      objects: { invoice: { read: true, viewAll: true }, customer: { read: true } },
      fields: {
        'invoice.number': { read: true },
        'invoice.customer': { read: true },
        'customer.name': { read: true },
      },
    },
  }
  await apply(test.studio, [...billingComponents(), clerk(), reader])
  const users = [
    { key: 'ada', permissionSets: ['clerk'] },
    { key: 'eve', permissionSets: ['reader'] },
    { key: 'nobody', permissionSets: [] },
  ]
  ;({ ada, eve, nobody } = (await signIn(test, users)) as { ada: Ask; eve: Ask; nobody: Ask })
})
afterAll(() => test.close())

let made = 0
async function customer(values: object = {}): Promise<Record_> {
  const { body } = await ada<Record_>('POST', '/data/v3/customer', { name: 'Ada', country: 'DE', ...values })
  return body
}
async function invoice(values: object = {}): Promise<Answer<Record_>> {
  const number = `R-${(made += 1)}`
  return ada<Record_>('POST', '/data/v3/invoice', { number, tax_point: '2020-08-15', net: '100', ...values })
}
const codeOf = ({ status, body }: Answer): unknown[] => [status, body['code']]

describe('a record', () => {
  it('is added through the save order, and returned with its computed fields', async () => {
    const { id: buyer } = await customer()
    const { status, headers, body } = await invoice({ customer: buyer })
    expect([status, headers.get('etag'), headers.get('location')]).toEqual([
      201,
      '"1"',
      `/data/v3/invoice/${body.id}`,
    ])
    expect(body.id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-7/)
    expect(body).toMatchObject({
      object: 'invoice',
      version: 1,
      fields: {
        customer: buyer,
        net: '100.00',
        tax: '16.00',
        total: '116.00',
        half: '58.00',
        buyer: 'Ada (DE)',
        state: 'open',
      },
    })
    const read = await ada<Record_>('GET', `/data/v3/invoice/${body.id}`)
    expect([read.status, read.headers.get('etag'), read.headers.get('cache-control')]).toEqual([
      200,
      '"1"',
      'private, no-store',
    ])
    expect(read.body).toEqual(body)
  })

  it('is changed only at its version', async () => {
    const { body } = await invoice()
    const path = `/data/v3/invoice/${body.id}`
    expect(codeOf(await ada('PATCH', path, { net: '1' }))).toEqual([428, 'request.precondition_required'])
    expect(codeOf(await ada('PATCH', path, { net: '1' }, { 'if-match': '1' }))).toEqual([
      400,
      'request.malformed',
    ])
    const changed = await ada<Record_>('PATCH', path, { net: '200' }, { 'if-match': '"1"' })
    expect([
      changed.status,
      changed.headers.get('etag'),
      changed.body.version,
      changed.body.fields['net'],
    ]).toEqual([200, '"2"', 2, '200.00'])
    expect(codeOf(await ada('PATCH', path, { net: '1' }, { 'if-match': '"1"' }))).toEqual([
      412,
      'conflict.stale_version',
    ])
    expect((await ada<Record_>('GET', path)).body.fields['net']).toBe('200.00')
    expect((await ada('DELETE', path, undefined, { 'if-match': '"1"' })).status).toBe(412)
    expect((await ada('DELETE', path)).status).toBe(204)
    expect(codeOf(await ada('GET', path))).toEqual([404, 'record.not_found'])
  })

  it('is refused with every problem, and nothing is saved', async () => {
    const { status, body } = await ada('POST', '/data/v3/invoice', {
      number: 7,
      net: '-1',
      colour: 'red',
      tax: '1',
    })
    expect([status, body['code'], body['class']]).toEqual([422, 'record.invalid', 'validation'])
    const details = body['details'] as { field: string; code: string }[]
    expect(details.map(({ field, code }) => [field, code])).toEqual([
      ['number', 'record.value'],
      ['colour', 'record.unknown_field'],
      ['tax', 'record.computed_field'],
    ])
  })

  it('is not deleted while another one refers to it', async () => {
    const { id } = await customer()
    await invoice({ customer: id })
    const { status, body } = await ada('DELETE', `/data/v3/customer/${id}`)
    expect([status, body['code']]).toEqual([409, 'record.referenced'])
  })

  it('is projected to the names that were asked for, also along references', async () => {
    const { id: buyer } = await customer({ name: 'Bo' })
    const { body } = await invoice({ customer: buyer })
    const path = `/data/v3/invoice/${body.id}?fields=`
    const projected = await ada<Record_>('GET', `${path}total,customer.name,customer.label`)
    expect(projected.body.fields).toEqual({
      total: '116.00',
      'customer.name': 'Bo',
      'customer.label': 'Bo (DE)',
    })
    const unknown = await ada('GET', `${path}totl`)
    expect([unknown.status, unknown.body['detail']]).toEqual([
      422,
      'invoice has no field "totl". Did you mean "total"?',
    ])
  })

  it('has a history of its writes', async () => {
    const { body } = await invoice()
    await ada(
      'PATCH',
      `/data/v3/invoice/${body.id}`,
      { net: '7' },
      { 'if-match': '*', 'x-correlation-id': 'why-1' },
    )
    const { changes } = (await ada('GET', `/data/v3/invoice/${body.id}/history`)).body as {
      changes: { fields: object[] }[]
    }
    expect(changes).toMatchObject([
      { version: 2, operation: 'update', by: 'ada', correlationId: 'why-1' },
      { version: 1, operation: 'insert', by: 'ada' },
    ])
    expect(changes[0]!.fields).toContainEqual({ field: 'net', before: '100.00', after: '7.00' })
  })
})

describe('what a caller cannot see', () => {
  it('does not exist: object, record, and the value of a field', async () => {
    const { id: buyer } = await customer()
    const { body } = await invoice({ customer: buyer })
    expect(codeOf(await nobody('GET', `/data/v3/invoice/${body.id}`))).toEqual([404, 'object.not_found'])
    expect(codeOf(await nobody('POST', '/data/v3/invoice', {}))).toEqual([404, 'object.not_found'])
    // The customer is private, and eve is neither its owner nor has viewAll.
    expect(codeOf(await eve('GET', `/data/v3/customer/${buyer}`))).toEqual([404, 'record.not_found'])
    const seen = await eve<Record_>(
      'GET',
      `/data/v3/invoice/${body.id}?fields=number,net,customer,customer.name`,
    )
    expect(seen.body.fields).toEqual({
      number: body.fields['number'],
      net: null,
      customer: buyer,
      'customer.name': null,
    })
    const whole = await eve<Record_>('GET', `/data/v3/invoice/${body.id}`)
    expect(Object.entries(whole.body.fields).filter(([, value]) => value !== null)).toEqual([
      ['number', body.fields['number']],
      ['customer', buyer],
    ])
  })

  it('has no name, in one read for records of several objects', async () => {
    const { id: buyer } = await customer()
    const { body } = await invoice({ customer: buyer })
    const places = [
      { object: 'invoice', id: body.id },
      { object: 'customer', id: buyer },
      { object: 'customer', id: body.id },
      { object: 'guess', id: buyer },
    ]
    const names = async (ask: Ask): Promise<unknown[]> => {
      const reply = await ask<{ names: { name: unknown }[] }>('POST', '/setup/v3/record-names', {
        records: places,
      })
      expect(reply.body.names).toMatchObject(places)
      return reply.body.names.map(({ name }) => name)
    }
    const { fields } = (await ada<Record_>('GET', `/data/v3/customer/${buyer}`)).body
    expect(await names(ada)).toEqual([body.fields['number'], fields['name'], null, null])
    expect(await names(eve)).toEqual([body.fields['number'], null, null, null])
    expect(await names(nobody)).toEqual([null, null, null, null])
  })

  it('is left out of the descriptions of objects', async () => {
    const keys = async (ask: Ask): Promise<string[]> =>
      ((await ask('GET', '/data/v3')).body as { objects: { key: string }[] }).objects.map(({ key }) => key)
    expect(await keys(ada)).toEqual(['customer', 'invoice', 'line'])
    expect(await keys(eve)).toEqual(['customer', 'invoice'])
    expect(await keys(nobody)).toEqual([])
    const { body } = await eve('GET', '/data/v3/invoice/describe')
    expect((body['fields'] as { key: string }[]).map(({ key }) => key)).toEqual(['number', 'customer'])
    expect(codeOf(await nobody('GET', '/data/v3/invoice/describe'))).toEqual([404, 'object.not_found'])
  })

  it('has the labels of its value set beside the keys, also of values that are no longer offered', async () => {
    const fieldOf = async (ask: Ask): Promise<object | undefined> =>
      ((await ask('GET', '/data/v3/invoice/describe')).body['fields'] as { key: string }[]).find(
        ({ key }) => key === 'state',
      )
    expect(await fieldOf(ada)).toMatchObject({
      ...{ valueSet: 'state', values: ['open', 'paid'] },
      labels: { open: 'Open', paid: 'Paid', lost: 'Lost' },
    })
    expect(await fieldOf(eve)).toBeUndefined()
  })

  it('is left out of list views, and so are lists with a filter that reads it', async () => {
    const list = (key: string, body: object): object => ({ type: 'list_view', key, label: key, body })
    await apply(test.studio, [
      list('open', { object: 'invoice', columns: ['number', 'net'], orderBy: [{ field: 'net' }] }),
      list('high', { object: 'invoice', columns: ['number'], filter: 'net > 100' }),
      list('amounts', { object: 'invoice', columns: ['net', 'tax'] }),
    ])
    const views = async (ask: Ask): Promise<unknown> =>
      (await ask('GET', '/data/v3/invoice/describe')).body['listViews']
    expect(await views(eve)).toEqual([
      { key: 'open', label: 'open', columns: ['number'], filter: null, orderBy: [] },
    ])
    expect(await views(ada)).toEqual([
      { key: 'amounts', label: 'amounts', columns: ['net', 'tax'], filter: null, orderBy: [] },
      { key: 'high', label: 'high', columns: ['number'], filter: 'net > 100', orderBy: [] },
      {
        ...{ key: 'open', label: 'open', columns: ['number', 'net'], filter: null },
        orderBy: [{ field: 'net', dir: 'asc' }],
      },
    ])
  })

  it('is not written', async () => {
    const { body } = await invoice()
    const path = `/data/v3/invoice/${body.id}`
    expect(codeOf(await eve('PATCH', path, { number: 'X' }, { 'if-match': '*' }))).toEqual([
      403,
      'access.denied',
    ])
    expect(codeOf(await eve('DELETE', path))).toEqual([403, 'access.denied'])
    expect(codeOf(await eve('POST', '/data/v3/invoice', { number: 'X' }))).toEqual([403, 'access.denied'])
  })
})

describe('a batch', () => {
  it('has an outcome for each item, at its place', async () => {
    const { body } = await invoice()
    const { status, body: reply } = await ada('POST', '/data/v3/invoice/batch', {
      records: [
        { op: 'insert', fields: { number: `B-${made}`, tax_point: '2021-01-01', net: '1' } },
        { op: 'insert', fields: { number: `B-${made}`, tax_point: '2021-01-01' } },
        { op: 'update', id: body.id, version: 1, fields: { net: '5' } },
        { op: 'update', id: body.id, version: 1, fields: { net: '6' } },
        { op: 'delete', id: body.id },
      ],
    })
    const results = reply['results'] as { status: number; error?: { code: string; correlationId: string } }[]
    expect(status).toBe(200)
    expect(results.map((each) => [each.status, each.error?.code])).toEqual([
      [201, undefined],
      [422, 'record.invalid'],
      [200, undefined],
      [412, 'conflict.stale_version'],
      [204, undefined],
    ])
  })

  it('with allOrNone is undone whole', async () => {
    const number = `C-${(made += 1)}`
    const { body } = await ada('POST', '/data/v3/invoice/batch', {
      allOrNone: true,
      records: [
        { op: 'insert', fields: { number, tax_point: '2021-01-01' } },
        { op: 'insert', fields: { number: `${number}b` } },
        { op: 'insert', fields: { number: `${number}c`, tax_point: '2021-01-01' } },
      ],
    })
    const results = body['results'] as { error?: { code: string } }[]
    expect(results.map((each) => each.error?.code)).toEqual([
      'record.batch_undone',
      'record.invalid',
      'record.batch_undone',
    ])
    const again = await ada('POST', '/data/v3/invoice', { number, tax_point: '2021-01-01' })
    expect(again.status).toBe(201)
  })

  it('finds records by a unique field, and adds what does not exist', async () => {
    const number = `D-${(made += 1)}`
    const item = (net: string) => ({
      op: 'upsert',
      externalId: 'number',
      fields: { number, tax_point: '2021-01-01', net },
    })
    const send = (records: object[]) => ada('POST', '/data/v3/invoice/batch', { records })
    const { body } = await send([
      item('1'),
      item('2'),
      { op: 'update', externalId: 'number', fields: { number: 'none' } },
    ])
    const results = body['results'] as { status: number; id: string; version: number }[]
    expect(results.map(({ status, version }) => [status, version])).toEqual([
      [201, 1],
      [200, 2],
      [422, undefined],
    ])
    expect(results[0]!.id).toBe(results[1]!.id)
  })

  it('refuses what an item cannot use, instead of ignoring it', async () => {
    const { body: known } = await invoice()
    const fields = { number: 'never', tax_point: '2021-01-01' }
    const { body } = await ada('POST', '/data/v3/invoice/batch', {
      records: [
        { op: 'insert', id: known.id, fields },
        { op: 'insert', externalId: 'number', fields },
        { op: 'insert', version: 1, fields },
        { op: 'update', id: known.id, externalId: 'number', fields },
      ],
    })
    const results = body['results'] as { error: { details: { field: string; message: string }[] } }[]
    expect(results.map(({ error }) => error.details[0]!.field)).toEqual([
      'id',
      'externalId',
      'version',
      'externalId',
    ])
    expect(results[1]!.error.details[0]!.message).toContain('upsert')
  })

  it('saves several objects, whose items refer to each other and to unique fields', async () => {
    const number = `E-${(made += 1)}`
    const { body } = await ada('POST', '/data/v3/batch', {
      allOrNone: true,
      records: [
        { op: 'insert', object: 'customer', fields: { name: 'Cy', country: 'AT' } },
        {
          op: 'insert',
          object: 'invoice',
          fields: { number, tax_point: '2021-01-01', net: '50', customer: { item: 0 } },
        },
        { op: 'insert', object: 'line', fields: { invoice: { number }, weight: '3' } },
        { op: 'insert', object: 'line', fields: { invoice: { item: 1 }, weight: '4' } },
      ],
    })
    const [, saved] = body['results'] as { id: string; version: number }[]
    const { body: read } = await ada<Record_>('GET', `/data/v3/invoice/${saved!.id}`)
    expect(read.fields).toMatchObject({ tax: '10.00', buyer: 'Cy (AT)', lines: '2', weight: '7.00' })
  })

  it('reports a wrong value of a unique field at the field that refers to it', async () => {
    const fields = { weight: '3', invoice: { number: { a: 1 } } }
    const { body } = await ada('POST', '/data/v3/line', fields)
    expect(body).toMatchObject({
      detail: 'The record of line is not valid. invoice: number must be text.',
      details: [{ field: 'invoice', code: 'record.value', message: 'invoice: number must be text.' }],
    })
    const upsert = { op: 'upsert', externalId: 'number', fields: { number: 7 } }
    const batch = await ada<{ results: { error: object }[] }>('POST', '/data/v3/invoice/batch', {
      records: [upsert],
    })
    expect(batch.body.results[0]!.error).toMatchObject({ details: [{ field: 'number' }] })
  })

  it('of more than 200 items is refused', async () => {
    const records = Array.from({ length: 201 }, () => ({ op: 'insert', fields: {} }))
    expect(codeOf(await ada('POST', '/data/v3/invoice/batch', { records }))).toEqual([
      413,
      'limit.too_many_elements',
    ])
  })
})

describe('a request with an idempotency key', () => {
  it('is saved once, and answered the same again', async () => {
    const body = { number: `F-${(made += 1)}`, tax_point: '2021-01-01' }
    const headers = { 'idempotency-key': 'key-1' }
    const first = await ada<Record_>('POST', '/data/v3/invoice', body, headers)
    const second = await ada<Record_>('POST', '/data/v3/invoice', body, headers)
    expect([first.status, second.status, second.body]).toEqual([201, 201, first.body])
    const other = await ada('POST', '/data/v3/invoice', { ...body, net: '1' }, headers)
    expect(codeOf(other)).toEqual([409, 'conflict.idempotency_key'])
  })

  it('is answered the same again under each name of a field', async () => {
    const fields = [{ key: 'title', type: 'text', aliases: ['heading'] }]
    await apply(test.studio, [{ type: 'object', key: 'memo', label: 'Memo', body: { fields } }])
    const body = { objects: { memo: { create: true, read: true, viewAll: true } }, fields: {} }
    const writer = { type: 'permission_set', key: 'memos', label: 'Memos', body }
    await apply(test.studio, [{ ...writer, body: { ...body, fields: { 'memo.title': { edit: true } } } }])
    const { mia } = (await signIn(test, [{ key: 'mia', permissionSets: ['memos'] }])) as { mia: Ask }
    const add = () => mia<Record_>('POST', '/data/v3/memo', { heading: 'A' }, { 'idempotency-key': 'key-4' })
    const first = await add()
    expect(first.body.fields).toEqual({ title: 'A', heading: 'A' })
    expect((await add()).body).toEqual(first.body)
  })

  it('shows nothing again that the caller can no longer see', async () => {
    const counter = (objects: object, net: object): object => ({
      ...{ type: 'permission_set', key: 'counter', label: 'Counter' },
      body: {
        objects,
        fields: { 'invoice.number': allowed, 'invoice.tax_point': allowed, 'invoice.net': net },
      },
    })
    const allowed = { read: true, edit: true }
    const invoices = { invoice: { read: true, create: true, viewAll: true } }
    await apply(test.studio, [counter(invoices, allowed)])
    const { kay } = (await signIn(test, [{ key: 'kay', permissionSets: ['counter'] }])) as { kay: Ask }
    const add = (): Promise<{ status: number; body: Record_ }> =>
      kay('POST', '/data/v3/invoice', body, { 'idempotency-key': 'key-3' })
    const body = { number: `K-${(made += 1)}`, tax_point: '2021-01-01', net: '7' }
    const first = await add()
    expect(first.body.fields).toMatchObject({ number: body.number, net: '7.00' })
    await apply(test.studio, [counter(invoices, {})])
    const second = await add()
    expect(second.body.id).toBe(first.body.id)
    expect(second.body.fields).toMatchObject({ number: body.number, net: null })
    await apply(test.studio, [counter({}, {})])
    expect((await add()).body).not.toHaveProperty('fields.number', body.number)
  })

  it('does not remember a refused request', async () => {
    const headers = { 'idempotency-key': 'key-2' }
    const body = { number: `G-${(made += 1)}` }
    expect((await ada('POST', '/data/v3/invoice', body, headers)).status).toBe(422)
    expect((await ada('POST', '/data/v3/invoice', body, headers)).status).toBe(422)
  })
})

it('saves many requests at once, each once', async () => {
  const sent = Array.from({ length: 150 }, () => customer({ name: 'Many' }))
  const ids = new Set((await Promise.all(sent)).map(({ id }) => id))
  expect(ids.size).toBe(150)
})

it('keeps records over a restart of another process, which reads what the server saved', async () => {
  const { body } = await invoice()
  const read = await test.beside(async ({ records, org, access }) => {
    void access
    const { effectiveAccess } = await import('../../server/access/index.ts')
    const snapshot = org.pin()
    const rights = org.store.read((reader) => effectiveAccess(reader, 'ada', snapshot.view))
    return records.get({ access: rights, generation: snapshot.generation, scopePath: {} }, 'invoice', body.id)
  })
  expect(read).toEqual(body)
})

describe('a query', () => {
  it('returns projected records page by page, in order', async () => {
    const { id: buyer } = await customer({ name: 'Query', country: 'AT' })
    for (const net of ['30', '10', '20']) await invoice({ customer: buyer, net })
    const query = {
      object: 'invoice',
      fields: ['net', 'customer.name', 'half'],
      filter: 'customer.name == "Query" && net >= 10',
      orderBy: [{ field: 'net', dir: 'desc' }],
      limit: 2,
    }
    const first = await ada('POST', '/data/v3/query', query)
    const nets = (answer: Answer): unknown[] =>
      (answer.body['records'] as Record_[]).map(({ fields }) => Object.values(fields))
    expect([first.status, nets(first)]).toEqual([
      200,
      [
        ['30.00', 'Query', '18.00'],
        ['20.00', 'Query', '12.00'],
      ],
    ])
    const cursor = first.body['nextCursor']
    const second = await ada('POST', '/data/v3/query', { ...query, cursor })
    expect([nets(second), second.body['nextCursor']]).toEqual([[['10.00', 'Query', '6.00']], null])
    const other = await ada('POST', '/data/v3/query', { ...query, filter: 'net > 1', cursor })
    expect(codeOf(other)).toEqual([400, 'request.malformed'])
    const hidden = await eve('POST', '/data/v3/query', { ...query, filter: 'net > 1' })
    expect(codeOf(hidden)).toEqual([422, 'expression.invalid'])
    expect(codeOf(await nobody('POST', '/data/v3/query', query))).toEqual([404, 'object.not_found'])
  })
})

describe('/openapi.json', () => {
  const documentOf = async (ask: Ask) =>
    (await ask('GET', '/openapi.json')).body as {
      paths: Record<string, Record<string, { operationId: string }>>
      components: { schemas: Record<string, { properties: Record<string, object> }> }
    }
  const ofObjects = (paths: Record<string, Record<string, object>>): string[] =>
    Object.entries(paths).flatMap(([path, methods]) =>
      /^\/data\/v3\/(customer|invoice|line)\b/.test(path)
        ? Object.keys(methods).map((method) => `${method} ${path}`)
        : [],
    )

  it('describes each object as the caller can see it, in a valid document', async () => {
    const document = await documentOf(ada)
    expect(await validate(structuredClone(document) as never)).toMatchObject({ valid: true })
    expect(ofObjects(document.paths)).toHaveLength(21)
    const { Values_invoice: values, Record_invoice: read } = document.components.schemas
    expect(Object.keys(values!.properties)).toEqual([
      'number',
      'customer',
      'tax_point',
      'state',
      'net',
      'reminder',
    ])
    expect(values!.properties['state']).toMatchObject({ enum: ['open', 'paid', null] })
    const { properties } = read!.properties['fields'] as { properties: object }
    expect(Object.keys(properties)).toContain('half')
  })

  it('contains no object, right or field that is hidden from the caller', async () => {
    const document = await documentOf(eve)
    expect(ofObjects(document.paths)).toEqual([
      'get /data/v3/customer/describe',
      'post /data/v3/customer/batch',
      'post /data/v3/customer/search',
      'get /data/v3/customer/{id}',
      'get /data/v3/invoice/describe',
      'post /data/v3/invoice/batch',
      'post /data/v3/invoice/search',
      'get /data/v3/invoice/{id}',
    ])
    const { properties } = document.components.schemas['Record_invoice']!.properties['fields'] as {
      properties: object
    }
    expect(Object.keys(properties)).toEqual(['number', 'customer'])
    expect(ofObjects((await documentOf(nobody)).paths)).toEqual([])
    expect(ofObjects((await documentOf(test.plain)).paths)).toEqual([])
    const { status } = await test.bearer('almanac_wrong')('GET', '/openapi.json')
    expect(status).toBe(401)
  })
})
