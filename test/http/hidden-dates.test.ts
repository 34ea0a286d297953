// The keys and dates with which a formula reads configuration are values of fields: hidden from users who cannot read these.
import { afterAll, beforeAll, expect, it } from 'vitest'
import { billing, type Bodies } from '../../server/kernel/records/fixture.ts'
import { apply, billingComponents, clerk, signIn } from '../support/billing-org.ts'
import { runningServer, type Ask, type TestServer } from '../support/running-server.ts'

const number = { type: 'number', precision: 12, scale: 4 }
const fields = [
  { key: 'country', type: 'text' },
  { key: 'fixed', ...number, formula: { expression: 'net * config.vat("DE").rate', stored: true } },
  { key: 'keyed', ...number, formula: { expression: 'net * config.vat(country).rate', stored: true } },
  { key: 'rate', ...number, formula: { expression: 'config.vat(country).rate', stored: false } },
  { key: 'deep', ...number, formula: { expression: 'net * rate', stored: true } },
  {
    ...{ key: 'heavy', ...number },
    rollup: { child: 'line', via: 'invoice', op: 'count', filter: 'config.vat(place).rate > 0' },
  },
]

/** An org whose invoices have a country of their own, and whose lines have a place. */
function bodies(): Bodies {
  const all = structuredClone(billing()) as Record<string, { fields: object[] }>
  all['object/invoice']!.fields.push(...fields)
  all['object/line']!.fields.push({ key: 'place', type: 'text' })
  return all
}

/** Can read the computed fields and the set. */
const user = (key: string, ...more: string[]) => ({
  ...{ type: 'permission_set', key, label: key },
  body: {
    objects: { invoice: { read: true, viewAll: true } },
    fields: Object.fromEntries(
      ['net', 'rate', 'fixed', 'keyed', 'deep', 'heavy', ...more].map((field) => [
        `invoice.${field}`,
        { read: true },
      ]),
    ),
  },
})

interface Side {
  binding: { asOf: string | null }
  steps: { key: string | null }[]
}
interface Explained {
  value: string
  asOf: { date: string | null } | null
  hiddenInputs: number
  bound: Side
  present: Side
  reasons: string[]
}

let test: TestServer
let ada: Ask
/** Cannot read the country of an invoice. */
let dan: Ask
/** Cannot read its as-of date. */
let kit: Ask
let path: string
let id: string

beforeAll(async () => {
  test = await runningServer()
  await apply(test.studio, [
    ...billingComponents(bodies()),
    ...[clerk(bodies()), user('dated', 'tax_point'), user('placed', 'country')],
  ])
  const asks = await signIn(test, [
    { key: 'ada', permissionSets: ['clerk', 'administrator'] },
    { key: 'dan', permissionSets: ['dated', 'administrator'] },
    { key: 'kit', permissionSets: ['placed', 'administrator'] },
  ])
  ;({ ada, dan, kit } = asks as { ada: Ask; dan: Ask; kit: Ask })
  const values = { number: 'H-1', tax_point: '2020-08-15', net: '100', country: 'DE' }
  const saved = await ada<{ id: string }>('POST', '/data/v3/invoice', values)
  id = saved.body.id
  path = `/data/v3/invoice/${id}/values`
  const line = await ada('POST', '/data/v3/line', { invoice: id, weight: '1', place: 'AT' })
  expect([saved.status, line.status]).toEqual([201, 201])
})
afterAll(() => test.close())

it.each(['fixed', 'keyed', 'deep', 'heavy'])(
  'an explanation of %s shows no as-of date of a hidden field',
  async (field) => {
    const { body, text } = await kit<Explained>('GET', `${path}/${field}`)
    expect(body.value).toBe({ fixed: '16.0000', keyed: '16.0000', deep: '16.0000', heavy: '1.0000' }[field])
    expect(text).not.toMatch(/2020|de_2020|Aug/)
    expect(body.hiddenInputs).toBe({ fixed: 1, keyed: 1, deep: 0, heavy: 1 }[field])
  },
)

it.each(['keyed', 'deep', 'heavy'])('an explanation of %s shows no key of a hidden field', async (field) => {
  const { body, text } = await dan<Explained>('GET', `${path}/${field}`)
  expect([body.bound.steps, body.present.steps]).toEqual([[], []])
  expect(text).not.toMatch(/"(DE|AT)"|vat\.(de|at)/)
})

it('an explanation shows both to users who can read them', async () => {
  const { body } = await ada<Explained>('GET', `${path}/keyed`)
  expect(body).toMatchObject({ asOf: { date: '2020-08-15' }, bound: { steps: [{ key: 'DE' }] } })
  const dated = await dan<Explained>('GET', `${path}/fixed`)
  expect(dated.body).toMatchObject({
    ...{ asOf: { date: '2020-08-15' }, hiddenInputs: 0 },
    bound: { binding: { asOf: '2020-08-15' }, steps: [{ key: 'DE' }] },
  })
  const rolledUp = await ada<Explained>('GET', `${path}/heavy`)
  expect(rolledUp.body.bound.steps).toMatchObject([{ key: 'AT' }])
})

it('a changed set is named without what the value reads of it', async () => {
  const entry = (rate: string) => [
    { type: 'config_entry', key: 'vat.de_2020', label: 'x', body: { ...at2020, values: { rate } } },
  ]
  const at2020 = bodies()['config_entry/vat.de_2020']!
  await apply(test.studio, entry('0.1700'))
  expect((await kit<Explained>('GET', `${path}/fixed`)).body.reasons).toEqual(['vat changed.'])
  expect((await dan<Explained>('GET', `${path}/fixed`)).body.reasons).toEqual([
    expect.stringMatching(/^vat changed: vat\.de_2020 by admin/),
  ])
  await apply(test.studio, entry('0.1600'))
})

it('evidence is refused, because it contains the date', async () => {
  const { status, text } = await kit('GET', `${path}/fixed/evidence`)
  expect([status, text]).toEqual([403, expect.stringContaining('reads 1 value that you cannot read')])
  expect((await dan('GET', `${path}/fixed/evidence`)).status).toBe(200)
})

it('a preview is refused, because its value follows from the date, unless it has a date of its own', async () => {
  const site = { kind: 'virtual_formula', object: 'invoice', field: 'guess' }
  const body = { id, expression: 'config.vat("DE").rate', site }
  const { status, text } = await kit('POST', '/setup/v3/evaluate/record', body)
  expect([status, text]).toEqual([403, expect.stringContaining('You cannot read tax_point')])
  expect(text).not.toContain('2020')
  const dated = await kit('POST', '/setup/v3/evaluate/record', { ...body, asOf: '2021-02-01' })
  expect(dated.body).toMatchObject({ value: '0.19', asOf: { date: '2021-02-01' } })
  expect((await dan('POST', '/setup/v3/evaluate/record', body)).body['value']).toBe('0.16')
})
