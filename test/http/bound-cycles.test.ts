// A stored value that reads configuration keeps its formula. A deploy is refused if that formula and a new one would
// depend on each other.
import { afterAll, beforeAll, expect, it } from 'vitest'
import { billing } from '../../server/kernel/records/fixture.ts'
import { fieldsOf } from '../records/bodies.ts'
import { apply, billingComponents, clerk, signIn } from '../support/billing-org.ts'
import { runningServer, type Ask, type TestServer } from '../support/running-server.ts'

const operator = {
  ...{ type: 'permission_set', key: 'operator', label: 'Operator' },
  body: { systemPermissions: ['operations.manage'] },
}
const number = { type: 'number', precision: 12, scale: 2 }
const rate = 'config.vat("DE").rate'

let test: TestServer
let ada: Ask

/** Invoices with the stored formulas `base` and `fee`, and the virtual `link`. */
function invoice(formulas: Record<string, string>, aliases: string[] = []): object {
  const computed = Object.entries(formulas).map(([key, expression]) => ({
    ...{ key, ...number },
    ...(aliases.length > 0 && key !== 'base' ? { aliases } : {}),
    formula: { expression, stored: key !== 'link' },
  }))
  const fields = [...fieldsOf(billing(), 'invoice'), ...computed]
  return { type: 'object', key: 'invoice', label: 'invoice', body: { fields } }
}

async function cycles(...components: object[]): Promise<Record<string, unknown>[]> {
  const { body } = await test.studio('POST', '/metadata/v3/plan', { components })
  return (body['findings'] as Record<string, unknown>[]).filter(({ severity }) => severity === 'error')
}

async function recompute(): Promise<void> {
  const { body } = await ada<{ id: string }>('POST', '/setup/v3/jobs', {
    kind: 'recompute',
    object: 'invoice',
  })
  for (;;) {
    const job = await ada<{ state: string }>('GET', `/setup/v3/jobs/${body.id}`)
    if (job.body.state === 'completed') return
    await new Promise((done) => setTimeout(done, 5))
  }
}

beforeAll(async () => {
  test = await runningServer()
  const others = billingComponents().filter((each) => (each as { key: string }).key !== 'invoice')
  const first = invoice({ base: 'net', fee: `link * ${rate}`, link: 'base + 1' })
  await apply(test.studio, [...others, first, clerk(), operator])
  ;({ ada } = (await signIn(test, [{ key: 'ada', permissionSets: ['clerk', 'operator'] }])) as { ada: Ask })
  for (const number of ['A', 'B'])
    await ada('POST', '/data/v3/invoice', { number, tax_point: '2022-01-01', net: '100' })
})
afterAll(() => test.close())

it('refuses a formula that reads a value whose kept formula reads it', async () => {
  const turned = invoice({ base: 'fee + 1', fee: `net * ${rate}`, link: 'net' })
  expect(await cycles(turned)).toEqual([
    {
      ...{ severity: 'error', code: 'object.bound_cycle', component: 'object/invoice' },
      path: '/body/fields/12/formula/expression',
      message:
        'A formula or roll-up cannot depend on itself: invoice.base reads invoice.fee reads invoice.link reads invoice.base. 2 stored values of invoice.fee keep the formula of generation 3. Apply the changes of invoice.fee and invoice.link first, recompute the records of invoice, and then apply the rest.',
      related: [],
    },
  ])
  const { status, body } = await test.studio('POST', '/metadata/v3/apply', { components: [turned] })
  expect([status, body['code']]).toEqual([422, 'deploy.invalid'])
})

it('asks for a recompute once the kept formula is no longer active, and accepts the formula after it', async () => {
  const between = invoice({ base: 'net', fee: `net * ${rate}`, link: 'net' })
  expect(await cycles(between)).toEqual([])
  await apply(test.studio, [between])
  // The value of a record that is saved now keeps the formula of this generation.
  await ada('POST', '/data/v3/invoice', { number: 'C', tax_point: '2022-01-01', net: '100' })
  const turned = invoice({ base: 'fee + 1', fee: `net * ${rate}`, link: 'net' })
  const [refused] = await cycles(turned)
  expect(refused!['message']).toContain(
    '2 stored values of invoice.fee keep the formula of generation 3. Recompute the records of invoice first.',
  )
  await recompute()
  expect(await cycles(turned)).toEqual([])
  await apply(test.studio, [turned])
})

it('ignores kept values without configuration, and follows a field that was renamed since', async () => {
  await apply(test.studio, [invoice({ base: 'net', charge: `base * ${rate}` }, ['fee'])])
  await ada('POST', '/data/v3/invoice', { number: 'D', tax_point: '2022-01-01', net: '100' })
  await apply(test.studio, [invoice({ base: 'net', levy: `net * ${rate}` }, ['charge', 'fee'])])
  const [refused] = await cycles(invoice({ base: 'levy + 1', levy: `net * ${rate}` }, ['charge', 'fee']))
  expect(refused!['message']).toContain(
    'invoice.base reads invoice.levy reads invoice.base. 1 stored value of invoice.levy keeps',
  )
})
