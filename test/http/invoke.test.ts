// Calls of operations: what they save and return, who can call them, what they refuse, and their paths in the document.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openOrg } from '../../server/compose/open-org.ts'
import type { RecordEffect } from '../../server/ports/record-store.ts'
import { apply, signIn } from '../support/billing-org.ts'
import { eventually } from '../support/eventually.ts'
import { runningServer, type Answer, type Ask, type TestServer } from '../support/running-server.ts'
import type { LoggedEvent } from '../../server/ports/events.ts'
import { publishedEvents } from '../support/published-events.ts'

interface Saved {
  id: string
  version: number
  fields: Record<string, unknown>
}
interface Result {
  operation: string
  generation: number
  ran: boolean
  returns: Record<string, unknown>
}
interface Problem {
  code: string
  detail: string
  details: { path?: string; code?: string; field?: string; message: string; automation?: string }[]
}

const money = { type: 'number', precision: 9, scale: 2 }
const openTo = { sharing: { default: 'read_write', rules: [] }, storage: 'local' }
const everyRight = { create: true, read: true, update: true }
const edited = { read: true, edit: true }
const fieldsOf = (object: string, ...keys: string[]): object =>
  Object.fromEntries(keys.map((key) => [`${object}.${key}`, edited]))

const settle = {
  ...{ type: 'automation', key: 'settle', label: 'Settle a claim' },
  body: {
    phase: 'invocable',
    params: [
      { key: 'note', type: 'text' },
      { key: 'amount', type: 'number' },
      { key: 'paid', type: 'date' },
      { key: 'urgent', type: 'boolean' },
    ],
    grantedTo: ['clerk', 'visitor'],
    when: 'note != "skip"',
    actions: [
      {
        ...{ key: 'claim', type: 'create', object: 'claim' },
        values: { note: 'note', amount: 'amount', paid: 'paid', reason: '"settled"' },
      },
      {
        key: 'limit',
        type: 'raise',
        when: 'amount > 5000',
        message: 'The amount is too large.',
        field: 'amount',
      },
      { key: 'announce', type: 'publish', channel: 'settled', payload: { note: 'note', amount: 'amount' } },
      {
        ...{ key: 'post', type: 'enqueue', credential: 'ledger', method: 'POST', path: '/entries' },
        payload: { amount: 'amount * 2' },
      },
    ],
    returns: { fee: 'amount * 0.125', due: 'paid', title: '"Claim " + note', rush: 'urgent && amount > 10' },
  },
}
const close = {
  ...{ type: 'automation', key: 'close_claim', label: 'Close a claim' },
  body: {
    phase: 'invocable',
    params: [{ key: 'claim', type: 'text' }],
    grantedTo: ['clerk'],
    actions: [
      { key: 'note', type: 'update', object: 'claim', record: 'claim', values: { note: '"closed"' } },
      { key: 'again', type: 'update', object: 'claim', record: 'claim', values: { amount: '0' } },
    ],
  },
}
const price = {
  ...{ type: 'automation', key: 'price', label: 'Price' },
  body: {
    phase: 'invocable',
    params: [{ key: 'net', type: 'number' }],
    grantedTo: ['clerk'],
    actions: [],
    returns: { gross: 'net * (1 + config.rate.share)' },
  },
}
const fetchRate = {
  ...{ type: 'automation', key: 'fetch_rate', label: 'Fetch a rate' },
  body: {
    ...{ phase: 'invocable', grantedTo: ['clerk'] },
    actions: [{ key: 'rate', type: 'callout', credential: 'ledger', method: 'GET', path: '/rate' }],
  },
}
const sealed = {
  ...{ type: 'automation', key: 'sealed', label: 'Sealed' },
  body: { ...settle.body, grantedTo: ['visitor'] },
}
const rate = {
  ...{ type: 'config_set', key: 'rate', label: 'Rate' },
  body: {
    ...{ cardinality: 'singleton', effectiveDated: true, asOfField: 'claim.paid' },
    fields: [{ key: 'share', type: 'number', required: true, precision: 5, scale: 3 }],
    ...{ read: { administrator: 'read' }, edit: { administrator: 'edit' } },
  },
}
const rateFrom = (
  slug: string,
  effectiveFrom: string,
  effectiveTo: string | null,
  share: string,
): object => ({
  ...{ type: 'config_entry', key: `rate.${slug}`, label: slug },
  body: { set: 'rate', scope: { kind: 'org' }, effectiveFrom, effectiveTo, values: { share } },
})
const components = [
  {
    ...{ type: 'object', key: 'claim', label: 'Claim' },
    body: {
      ...openTo,
      fields: [
        { key: 'note', type: 'text' },
        { key: 'amount', ...money },
        { key: 'paid', type: 'date', required: true },
        { key: 'reason', type: 'text' },
        { key: 'doubled', ...money, formula: { expression: 'amount * 2', stored: true } },
      ],
      validationRules: [
        { key: 'positive', when: 'amount < 0', message: 'An amount is positive.', field: 'amount' },
      ],
    },
  },
  {
    ...{ type: 'object', key: 'letter', label: 'Letter' },
    body: { ...openTo, fields: [{ key: 'about', type: 'text' }] },
  },
  {
    ...{ type: 'automation', key: 'write_letter', label: 'Write a letter' },
    body: {
      ...{ object: 'claim', phase: 'post_commit', when: 'isNew' },
      actions: [{ key: 'letter', type: 'create', object: 'letter', values: { about: 'note' } }],
    },
  },
  {
    ...{ type: 'event_channel', key: 'settled', label: 'Settled' },
    body: {
      schema: [
        { key: 'note', type: 'text' },
        { key: 'amount', ...money },
      ],
    },
  },
  {
    ...{ type: 'external_credential', key: 'bank', label: 'Bank' },
    body: { scheme: 'basic', principals: [{ key: 'shared' }] },
  },
  {
    ...{ type: 'named_credential', key: 'ledger', label: 'Ledger' },
    body: { url: 'https://ledger.example', externalCredential: 'bank', principal: 'shared' },
  },
  rate,
  rateFrom('early', '2020-01-01', '2026-01-01', '0.1'),
  rateFrom('late', '2026-01-01', null, '0.2'),
  {
    ...{ type: 'permission_set', key: 'clerk', label: 'Clerk' },
    body: {
      objects: { claim: everyRight, letter: everyRight },
      fields: {
        ...fieldsOf('claim', 'note', 'amount', 'paid', 'reason', 'doubled'),
        ...fieldsOf('letter', 'about'),
      },
    },
  },
  { type: 'permission_set', key: 'visitor', label: 'Visitor', body: { objects: {}, fields: {} } },
  ...[settle, close, price, fetchRate, sealed],
]

let test: TestServer
let ada: Ask
let vic: Ask
let noe: Ask
beforeAll(async () => {
  test = await runningServer()
  await apply(test.studio, components)
  ;({ ada, vic, noe } = (await signIn(test, [
    { key: 'ada', permissionSets: ['clerk'] },
    { key: 'vic', permissionSets: ['visitor'] },
    { key: 'noe', permissionSets: [] },
  ])) as { ada: Ask; vic: Ask; noe: Ask })
})
afterAll(() => test.close())

const sent = { note: 'a', amount: '12.5', paid: '2026-02-03', urgent: true }
const call = <T = Result>(
  ask: Ask,
  operation: string,
  params: object = sent,
  headers?: Record<string, string>,
): Promise<Answer<T>> => ask<T>('POST', `/invoke/v3/${operation}`, { params }, headers)

async function claims(note: string): Promise<Record<string, unknown>[]> {
  const { body } = await ada<{ records: Saved[] }>('POST', '/data/v3/query', {
    ...{ object: 'claim', fields: ['note', 'amount', 'paid', 'doubled'], filter: `note == "${note}"` },
  })
  return body.records.map(({ fields }) => fields)
}
async function effects(): Promise<RecordEffect[]> {
  const org = openOrg(test.dir)
  try {
    return await org.records.store().read((reader) => reader.effects(0, 1000))
  } finally {
    await org.close()
  }
}
async function events(): Promise<LoggedEvent[]> {
  const org = openOrg(test.dir)
  try {
    return await publishedEvents(org.records.store())
  } finally {
    await org.close()
  }
}
const comparable = (name: string, { status, body }: Answer<Problem>): unknown => [
  status,
  { ...body, correlationId: '', detail: body.detail.replaceAll(name, 'NAME') },
]

describe('a call of an operation', () => {
  it('runs its actions in their order, in one transaction, and returns typed values', async () => {
    const { status, body } = await call(ada, 'settle')
    expect(status).toBe(200)
    const { generation } = (await test.studio<{ generation: { generation: number } }>('GET', '/setup/v3/org'))
      .body.generation
    expect(body).toEqual({
      ...{ operation: 'settle', generation, ran: true },
      returns: { due: '2026-02-03', fee: '1.5625', rush: true, title: 'Claim a' },
    })
    expect(await claims('a')).toEqual([{ note: 'a', amount: '12.50', paid: '2026-02-03', doubled: '25.00' }])
    expect(await events()).toMatchObject([
      { content: { payload: { note: 'a', amount: '12.50' }, actor: 'ada' } },
    ])
    expect(await effects()).toMatchObject([
      { kind: 'enqueue', action: 'post', record: '', body: { payload: { amount: '25' } } },
    ])
  })

  it('leaves automations at post_commit to run after it', async () => {
    await call(ada, 'settle', { ...sent, note: 'b' })
    await eventually(async () => {
      const { body } = await ada<{ records: Saved[] }>('POST', '/data/v3/query', {
        ...{ object: 'letter', fields: ['about'], filter: 'about == "b"' },
      })
      expect(body.records).toHaveLength(1)
    })
  })

  it('changes a record by its ID, each action after the one before', async () => {
    const { body: claim } = await ada<Saved>('POST', '/data/v3/claim', { note: 'c', paid: '2026-01-01' })
    expect((await call(ada, 'close_claim', { claim: claim.id })).body).toMatchObject({
      ran: true,
      returns: {},
    })
    const { body } = await ada<Saved>('GET', `/data/v3/claim/${claim.id}`)
    expect(body.version).toBe(3)
    expect(body.fields).toMatchObject({ note: 'closed', amount: '0.00' })
  })

  it('runs no action if its condition is false, and returns its values', async () => {
    const { body } = await call(ada, 'settle', { ...sent, note: 'skip' })
    expect(body).toMatchObject({ ran: false, returns: { title: 'Claim skip' } })
    expect(await claims('skip')).toEqual([])
  })

  it('passes a parameter without a value as null', async () => {
    const { body } = await call(ada, 'settle', { ...sent, note: 'd', amount: null, urgent: null })
    expect(body.returns).toEqual({ due: '2026-02-03', fee: null, rush: false, title: 'Claim d' })
  })

  it('reads a dated set as of the date of the request, and requires it', async () => {
    const on = (asOf?: string) =>
      ada<Result & Problem>('POST', '/invoke/v3/price', { params: { net: '10' }, asOf })
    expect((await on('2025-12-31')).body.returns).toEqual({ gross: '11' })
    expect((await on('2026-01-01')).body.returns).toEqual({ gross: '12' })
    const { status, body } = await on()
    expect([status, body.code]).toEqual([400, 'config.as_of_required'])
  })

  it('is done once for each idempotency key', async () => {
    const once = { 'Idempotency-Key': 'settle-e' }
    const first = await call(ada, 'settle', { ...sent, note: 'e' }, once)
    const second = await call(ada, 'settle', { ...sent, note: 'e' }, once)
    expect(second.body).toEqual(first.body)
    expect(await claims('e')).toHaveLength(1)
    const other = await call<Problem>(ada, 'settle', { ...sent, note: 'f' }, once)
    expect([other.status, other.body.code]).toEqual([409, 'conflict.idempotency_key'])
    expect(await claims('f')).toEqual([])
  })
})

describe('a repeated call', () => {
  const ask = (once: string) =>
    ada<Result>(...(['POST', '/invoke/v3/price_c', { params: { net: '1' }, asOf: '2026-01-01' }] as const), {
      'Idempotency-Key': once,
    })
  const deploy = (body: object) =>
    apply(test.studio, [{ ...price, key: 'price_c', body: { ...price.body, ...body } }])

  it('gets its reply even if the operation has changed since, unless the grant was removed', async () => {
    await deploy({})
    const { body } = await ask('price-1')
    await deploy({ params: [...price.body.params, { key: 'more', type: 'text' }] })
    expect((await ask('price-1')).body).toEqual(body)
    expect((await ask('price-2')).status).toBe(422)
    await deploy({ grantedTo: [] })
    expect((await ask('price-1')).status).toBe(404)
  })
})

describe('a call that is refused', () => {
  it('by a rejection leaves nothing behind, and names the parameter', async () => {
    const before = [(await effects()).length, (await events()).length]
    const { status, body } = await call<Problem>(ada, 'settle', { ...sent, note: 'g', amount: '5001' })
    expect([status, body.code]).toEqual([422, 'record.invalid'])
    expect(body.detail).toBe('The operation settle refused the call. The amount is too large.')
    expect(body.details).toEqual([
      { field: 'amount', code: 'record.raised', message: 'The amount is too large.', automation: 'settle' },
    ])
    expect(await claims('g')).toEqual([])
    expect([(await effects()).length, (await events()).length]).toEqual(before)
  })

  it('can be repeated with its idempotency key', async () => {
    const once = { 'Idempotency-Key': 'settle-h' }
    for (const _ of [1, 2])
      expect((await call(ada, 'settle', { ...sent, amount: '6000' }, once)).status).toBe(422)
  })

  it('by a validation rule of a record names the operation that led to it', async () => {
    const { status, body } = await call<Problem>(ada, 'settle', { ...sent, note: 'i', amount: '-1' })
    expect([status, body.code]).toEqual([422, 'record.invalid'])
    expect(body.detail).toBe('The record of claim (changed by settle) is not valid. An amount is positive.')
  })

  it('because of its parameters names each of them', async () => {
    const wrong = { amount: 'much', paid: '2026-02-30', urgent: 'yes', nite: 'a' }
    const { status, body } = await call<Problem>(ada, 'settle', wrong)
    expect([status, body.code]).toEqual([422, 'request.invalid'])
    expect(body.details.map(({ path }) => path)).toEqual([
      '/params/note',
      '/params/amount',
      '/params/paid',
      '/params/urgent',
      '/params/nite',
    ])
    expect(body.detail).toContain('settle has no parameter "nite". Did you mean "note"?')
  })

  it.each([
    ['a number of more digits than are exact', { ...sent, amount: 0.1234567890123456 }],
    ['a date that is a number', { ...sent, paid: 20260203 }],
    ['text with half of a surrogate pair', { ...sent, note: '\ud800' }],
    ['text with U+0000', { ...sent, note: 'a\0' }],
    ['a list', { ...sent, note: ['a'] }],
  ])('because of %s', async (_what, params) => {
    expect(await call<Problem>(ada, 'settle', params)).toMatchObject({
      status: 422,
      body: { code: 'request.invalid' },
    })
  })

  it('because of a right that the caller does not have names no hidden object', async () => {
    const { status, body } = await call<Problem>(vic, 'settle')
    expect([status, body.code]).toEqual([422, 'record.invalid'])
    expect(body.details).toMatchObject([{ code: 'access.denied', automation: 'settle' }])
    expect(JSON.stringify(body)).not.toContain('claim')
  })

  it('because the caller has no grant for its callout names the grant', async () => {
    const { status, body } = await call<Problem>(ada, 'fetch_rate', {})
    expect([status, body.code]).toEqual([403, 'access.denied'])
    expect(body.detail).toContain('bank')
  })
})

describe('an operation that is not granted to the caller', () => {
  it.each(['sealed', 'write_letter', 'settle'])('does not exist for them: %s', async (key) => {
    const ask = key === 'settle' ? noe : ada
    const hidden = await call<Problem>(ask, key)
    const missing = await call<Problem>(ask, 'neverxx')
    expect(hidden.status).toBe(404)
    expect(hidden.body.code).toBe('operation.not_found')
    expect(comparable(key, hidden)).toEqual(comparable('neverxx', missing))
  })

  it('is not suggested for a similar name', async () => {
    expect((await call<Problem>(ada, 'sealedd')).body.detail).not.toContain('Did you mean')
    expect((await call<Problem>(ada, 'settlee')).body.detail).toContain('Did you mean "settle"?')
  })

  it('stops to exist for a caller as soon as the grant is removed', async () => {
    const copy = (grantedTo: string[]) =>
      apply(test.studio, [{ ...price, key: 'price_b', body: { ...price.body, grantedTo } }])
    const ask = () => ada('POST', '/invoke/v3/price_b', { params: { net: '1' }, asOf: '2026-01-01' })
    await copy(['clerk'])
    expect((await ask()).status).toBe(200)
    await copy([])
    expect((await ask()).status).toBe(404)
  })

  it('does not exist for the administrator of the studio either', async () => {
    expect((await call(test.studio, 'settle')).status).toBe(404)
  })
})

describe('the document of the API', () => {
  interface Document {
    paths: Record<
      string,
      Record<string, { parameters: { name: string }[]; requestBody: { content: object } }>
    >
    components: { schemas: Record<string, object> }
  }
  const operationsOf = async (ask: Ask): Promise<[string[], Document]> => {
    const { body } = await ask<Document>('GET', '/openapi.json')
    return [
      Object.keys(body.paths)
        .filter((path) => path.startsWith('/invoke/'))
        .sort(),
      body,
    ]
  }

  it('has a path for each operation that the caller can call, and for no other', async () => {
    const [paths] = await operationsOf(ada)
    expect(paths).toEqual(
      ['close_claim', 'fetch_rate', 'price', 'settle', '{operation}'].map((key) => `/invoke/v3/${key}`),
    )
    expect((await operationsOf(noe))[0]).toEqual(['/invoke/v3/{operation}'])
  })

  it('declares the types of parameters and of returned values', async () => {
    const [, { components: found, paths }] = await operationsOf(ada)
    expect(paths['/invoke/v3/price']!['post']!.parameters.map(({ name }) => name)).not.toContain('operation')
    expect(found.schemas['Call_price']).toMatchObject({
      required: ['params', 'asOf'],
      properties: {
        params: { required: ['net'], properties: { net: { type: ['string', 'null'], format: 'decimal' } } },
        asOf: { type: 'string', format: 'date' },
      },
    })
    expect(found.schemas['Result_settle']).toMatchObject({
      properties: {
        returns: {
          required: ['due', 'fee', 'rush', 'title'],
          properties: { due: { format: 'date' }, rush: { type: ['boolean', 'null'] } },
        },
      },
    })
  })
})

describe('the fields that an operation writes', () => {
  it('count as used by the client that calls it', async () => {
    const { uma } = await signIn(test, [{ key: 'uma', permissionSets: ['clerk'] }])
    await call(uma!, 'settle', { ...sent, note: 'j' })
    await eventually(async () => {
      const { body } = await test.studio<{ uses: { name: string }[] }>('GET', '/setup/v3/clients/uma/uses')
      expect(body.uses.map(({ name }) => name).sort()).toEqual(['amount', 'claim', 'note', 'paid', 'reason'])
    })
  })
})
