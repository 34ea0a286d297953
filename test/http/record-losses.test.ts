// A change list that would lose values of records is refused with their number, unless it is confirmed.
import { afterAll, beforeAll, expect, it } from 'vitest'
import { billing, type Bodies } from '../../server/kernel/records/fixture.ts'
import { fieldsOf } from '../records/bodies.ts'
import { apply, billingComponents, clerk, signIn } from '../support/billing-org.ts'
import { runningServer, type Answer, type Ask, type TestServer } from '../support/running-server.ts'

let test: TestServer
let ada: Ask
beforeAll(async () => {
  test = await runningServer()
  await apply(test.studio, [...billingComponents(), clerk()])
  ;({ ada } = (await signIn(test, [{ key: 'ada', permissionSets: ['clerk'] }])) as { ada: Ask })
  for (const number of ['A', 'B'])
    await ada('POST', '/data/v3/invoice', { number, tax_point: '2021-01-01', net: '100', reminder: '7' })
  await ada('POST', '/data/v3/customer', { name: 'Ada', country: 'DE' })
  await ada('POST', '/data/v3/customer', { name: 'Ada', country: 'AT' })
})
afterAll(() => test.close())

function object(key: string, fields: readonly object[], more: object = {}): object {
  const body = billing()[`object/${key}`] as Bodies
  return { type: 'object', key, label: key, body: { ...body, fields }, ...more }
}

const invoiceWithout = (key: string): Record<string, unknown>[] =>
  fieldsOf(billing(), 'invoice').filter((field) => field['key'] !== key)

async function plan(...components: object[]): Promise<unknown[]> {
  const { body } = await test.studio('POST', '/metadata/v3/plan', { components })
  const findings = body['findings'] as { severity: string; code: string; message: string }[]
  return findings
    .filter(({ code }) => code.startsWith('object.'))
    .map(({ severity, code, message }) => [severity, code, message])
}

it('refuses the removal of a field with values, unless it is confirmed', async () => {
  const lost = 'The values of reminder in 2 records'
  expect(await plan(object('invoice', invoiceWithout('reminder')))).toEqual([
    ['error', 'object.values_lost', `${lost} would be lost.`],
  ])
  const { status, body } = await test.studio('POST', '/metadata/v3/apply', {
    components: [object('invoice', invoiceWithout('reminder'))],
  })
  expect([status, body['code']]).toEqual([422, 'deploy.invalid'])
  expect(await plan(object('invoice', invoiceWithout('reminder'), { breaking: true }))).toEqual([
    ['warning', 'object.values_lost', `${lost} are lost.`],
  ])
})

it('is counted only for users who can change objects', async () => {
  const author = { systemPermissions: ['metadata.author'] }
  const set = (key: string, body: object) => ({ type: 'permission_set', key, label: key, body })
  await apply(test.studio, [set('authors', author), set('editors', { systemPermissions: ['config.author'] })])
  const users = { meg: 'authors', ned: 'editors', nob: null }
  const asks = await signIn(
    test,
    Object.entries(users).map(([key, held]) => ({ key, permissionSets: held === null ? [] : [held] })),
  )
  const unique = fieldsOf(billing(), 'customer').map((field) =>
    field['key'] === 'name' ? { ...field, unique: true } : field,
  )
  const lists = [
    { components: [object('invoice', invoiceWithout('reminder'))] },
    { components: [object('customer', unique)] },
    { removals: ['object/line', 'object/invoice', 'object/customer'] },
  ]
  for (const list of lists) {
    const textOf = async (user: string) => (await asks[user]!('POST', '/metadata/v3/plan', list)).text
    expect(await textOf('meg')).toMatch(/2 records|more than one record/)
    for (const user of ['ned', 'nob']) {
      expect(await textOf(user)).not.toMatch(/2 records|more than one record|object\.(values|records)_lost/)
      expect(await textOf(user)).toContain('metadata.author')
    }
  }
})

it('accepts the removal of a field without values, of a computed one, and a rename', async () => {
  expect(await plan(object('invoice', invoiceWithout('half')))).toEqual([])
  expect(
    await plan(
      object(
        'invoice',
        invoiceWithout('customer')
          .filter(({ key }) => !['tax', 'total', 'half', 'buyer'].includes(String(key)))
          .map(({ default: _default, ...field }) => field),
      ),
    ),
  ).toEqual([])
  const renamed = fieldsOf(billing(), 'customer').map((field) => {
    const text = JSON.stringify(field).replaceAll(/\bname\b/g, 'called')
    return field['key'] === 'name' ? { ...JSON.parse(text), aliases: ['name'] } : JSON.parse(text)
  }) as object[]
  expect(await plan(object('customer', renamed))).toEqual([])
})

it('refuses a field of a different type, one that becomes computed, and a unique one with duplicates', async () => {
  const changed = (key: string, field: string, change: object): object =>
    object(
      key,
      fieldsOf(billing(), key).map((each) => (each['key'] === field ? { ...each, ...change } : each)),
    )
  expect(await plan(changed('customer', 'name', { unique: true }))).toEqual([
    [
      'error',
      'object.duplicate_values',
      'name cannot be unique, because 1 value occurs in more than one record.',
    ],
  ])
  expect(
    await plan(
      changed('invoice', 'reminder', { default: undefined, formula: { expression: 'net', stored: true } }),
    ),
  ).toEqual([['error', 'object.values_lost', 'The values of reminder in 2 records would be lost.']])
  expect(await plan(changed('invoice', 'reminder', { default: undefined, precision: 5 }))).toEqual([
    ['error', 'object.values_lost', 'The values of reminder in 2 records would be lost.'],
  ])
})

it('refuses the removal of an object with records', async () => {
  const { body }: Answer = await test.studio('POST', '/metadata/v3/plan', {
    removals: ['object/line', 'object/invoice'],
  })
  const codes = (body['findings'] as { code: string; component: string }[]).filter(({ code }) =>
    code.startsWith('object.'),
  )
  expect(codes.map(({ code, component }) => [code, component])).toEqual([
    ['object.records_lost', 'object/invoice'],
  ])
})

const rest =
  'keep the earlier formula until their records are recomputed. If it reads no configuration, the next save of a record computes its value too.'

/** The invoice with its formulas in a different writing. */
const written = (formula: (expression: string) => string): object =>
  object(
    'invoice',
    fieldsOf(billing(), 'invoice').map((field) => {
      const declared = field['formula'] as { expression: string; stored: boolean } | undefined
      return declared === undefined
        ? field
        : { ...field, formula: { ...declared, expression: formula(declared.expression) } }
    }),
  )

const component = (name: string): { type: string; key: string; label: string; body: object } =>
  billingComponents().find((each) => (each as { key: string }).key === name) as ReturnType<typeof component>

it('counts the stored values that keep the formula of a field that changes', async () => {
  // The virtual formulas store nothing.
  const doubled = (expression: string): string =>
    expression.includes('name') ? `(${expression}) + "!"` : `(${expression}) * 2`
  expect(await plan(written(doubled))).toEqual([
    ['info', 'object.values_kept', `2 stored values of tax ${rest}`],
    ['info', 'object.values_kept', `2 stored values of total ${rest}`],
    ['info', 'object.values_kept', `2 stored values of buyer ${rest}`],
  ])
})

it('counts no stored values of formulas that are only written differently', async () => {
  expect(await plan(written((expression) => expression))).toEqual([])
  expect(await plan(written((expression) => `( ${expression} ) // as before`))).toEqual([])
  const { type, key, body } = component('vat')
  expect(await plan({ type, key: 'tax_rate', label: 'Tax rate', body, renamedFrom: key })).toEqual([])
  const renamed = fieldsOf(billing(), 'customer').map((field) => {
    const text = JSON.stringify(field).replaceAll(/\bcountry\b/g, 'nation')
    return field['key'] === 'country' ? { ...JSON.parse(text), aliases: ['country'] } : JSON.parse(text)
  }) as object[]
  const nations = written((expression) => expression.replaceAll('customer.country', 'customer.nation'))
  expect(JSON.stringify(nations)).toContain('customer.nation')
  expect(await plan(object('customer', renamed), nations)).toEqual([])
})

it('counts the stored values of formulas that read a virtual formula that changes', async () => {
  const labelled = fieldsOf(billing(), 'customer').map((field) =>
    field['key'] === 'label' ? { ...field, formula: { expression: 'name', stored: false } } : field,
  )
  expect(await plan(object('customer', labelled))).toEqual([
    ['info', 'object.values_kept', `2 stored values of buyer ${rest}`],
  ])
})

it('counts the stored values of formulas that call a calc function that changes, and not those that have its meaning', async () => {
  const calc = (expression: string): object => ({
    ...{ type: 'calc_function', key: 'taxed', label: 'Taxed' },
    body: { params: [{ key: 'amount', type: 'number' }], returns: 'number', expression },
  })
  const calling = (expression: string): object =>
    written((each) => (each.includes('config.') ? expression : each))
  await apply(test.studio, [calc('amount * 0.19'), calling('taxed(net)')])
  const { body: invoices } = await ada<{ records: { id: string }[] }>('POST', '/data/v3/query', {
    object: 'invoice',
    fields: ['number'],
  })
  for (const { id } of invoices.records)
    expect((await ada('POST', `/data/v3/invoice/${id}/recompute`, {}, { 'if-match': '*' })).status).toBe(200)
  const kept = `2 stored values of tax ${rest}`
  expect(await plan(calc('amount * 0.2'))).toEqual([['info', 'object.values_kept', kept]])
  expect(await plan(calc('( amount*0.190 )'))).toEqual([])
  await apply(test.studio, [calc('amount * 0.2')])
  // The values are still those of before.
  expect(await plan(calc('amount * 0.19'))).toEqual([])
  expect(await plan(calc('amount * 0.21'))).toEqual([['info', 'object.values_kept', kept]])
})
