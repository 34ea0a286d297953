// A refusal quotes what was sent, and is still short if that is long.
import { afterAll, beforeAll, expect, it } from 'vitest'
import { apply, billingComponents, clerk, signIn } from '../support/billing-org.ts'
import { runningServer, type Ask, type TestServer } from '../support/running-server.ts'

const long = 'x'.repeat(8000)
const query = (filter: string): object => ({ object: 'invoice', fields: ['net'], filter })

let test: TestServer
let ada: Ask
let id: string
beforeAll(async () => {
  test = await runningServer()
  await apply(test.studio, [...billingComponents(), clerk()])
  ;({ ada } = (await signIn(test, [{ key: 'ada', permissionSets: ['clerk', 'administrator'] }])) as {
    ada: Ask
  })
  const values = { number: 'A', tax_point: '2021-01-01', net: '1' }
  id = (await ada<{ id: string }>('POST', '/data/v3/invoice', values)).body.id
})
afterAll(() => test.close())

type Sent = Parameters<Ask>
const post = (path: string, body: object): Sent => ['POST', path, body]

it.each<[title: string, sent: () => Sent]>([
  ['If-Match', () => ['PATCH', `/data/v3/invoice/${id}`, { net: '2' }, { 'if-match': long }]],
  ['X-App', () => ['GET', `/data/v3/invoice/${id}`, undefined, { 'x-app': long }]],
  ['X-View-As', () => ['GET', `/data/v3/invoice/${id}`, undefined, { 'x-view-as': long }]],
  ['X-Almanac-Position', () => ['GET', `/data/v3/invoice/${id}`, undefined, { 'x-almanac-position': long }]],
  ['Idempotency-Key', () => ['POST', '/data/v3/invoice', { net: '2' }, { 'idempotency-key': long }]],
  ['Authorization', () => ['GET', `/data/v3/invoice/${id}`, undefined, { authorization: `Bearer ${long}` }]],
  ['a token scheme', () => ['GET', `/data/v3/invoice/${id}`, undefined, { authorization: long }]],
  ['Content-Type', () => ['POST', '/data/v3/invoice', { net: '2' }, { 'content-type': long }]],
  ['a path', () => ['GET', `/data/v3/${long}`]],
  ['an ID', () => ['GET', `/data/v3/invoice/${long}`]],
  ['projected fields', () => ['GET', `/data/v3/invoice/${id}?fields=${long}`]],
  ['a query parameter', () => ['GET', `/data/v3/invoice/${id}?${long}=1`]],
  ['a member of a value set', () => post('/data/v3/query', query(`state == "${long}"`))],
  ['a name', () => post('/data/v3/query', query(`${long} > 1`))],
  ['a text for a number', () => post('/data/v3/query', query(`net == "${long}"`))],
  ['a number', () => post('/data/v3/query', query(`net == ${'9'.repeat(8000)}`))],
  ['a key of a set', () => post('/data/v3/query', query(`config.vat("${long}").rate > 0`))],
  ['a regular expression', () => post('/data/v3/query', query(`number.matches("(${long}")`))],
  ['a cursor', () => post('/data/v3/query', { ...query('net > 1'), cursor: long })],
  ['a text', () => post('/data/v3/invoice', { number: long, tax_point: '2021-01-01' })],
  ['a date', () => post('/data/v3/invoice', { number: 'B', tax_point: long })],
  ['a net', () => post('/data/v3/invoice', { number: 'B', tax_point: '2021-01-01', net: long })],
  [
    'a digit',
    () => post('/data/v3/invoice', { number: 'B', tax_point: '2021-01-01', net: '9'.repeat(8000) }),
  ],
  ['a state', () => post('/data/v3/invoice', { number: 'B', tax_point: '2021-01-01', state: long })],
  ['a reference', () => post('/data/v3/invoice', { number: 'B', tax_point: '2021-01-01', customer: long })],
  ['a field', () => post('/data/v3/invoice', { number: 'B', tax_point: '2021-01-01', [long]: 1 })],
  ['an entry', () => post('/setup/v3/resolve', { set: 'vat', key: long, asOf: '2021-01-01' })],
  ['a set', () => post('/setup/v3/resolve', { set: long, asOf: '2021-01-01' })],
  [
    'an environment',
    () =>
      post('/setup/v3/resolve', { set: 'vat', key: 'DE', asOf: '2021-01-01', scope: { environment: long } }),
  ],
  ['an as-of date', () => post('/setup/v3/resolve', { set: 'vat', key: 'DE', asOf: long })],
  [
    'an evaluation',
    () => post('/setup/v3/evaluate', { expression: `config.vat("${long}").rate`, asOf: '2021-01-01' }),
  ],
  ['a calculation', () => post('/setup/v3/evaluate', { expression: `date("${long}")` })],
  ['an operation', () => post(`/invoke/v3/${long}`, {})],
  ['a flag', () => post(`/ofrep/v1/evaluate/flags/${long}`, { context: {} })],
  ['a job', () => ['GET', `/setup/v3/jobs/${long}`]],
])('%s', async (_title, sent) => {
  const { status, text, body } = await ada(...sent())
  expect(status).toBeGreaterThanOrEqual(400)
  expect(status).toBeLessThan(500)
  const message = (body['detail'] ?? body['errorDetails'] ?? '') as string
  expect(message.length).toBeLessThan(2600)
  // The details can contain the input once, as data.
  expect(text.length).toBeLessThan(long.length + 4000)
})
