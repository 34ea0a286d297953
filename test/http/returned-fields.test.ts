// Stored formulas and roll-ups that a generation computes again, after others did not: their values follow what was saved
// in the meantime.
import { afterAll, beforeAll, expect, it } from 'vitest'
import { billing, type Bodies } from '../../server/kernel/records/fixture.ts'
import { fieldsOf } from '../records/bodies.ts'
import { archiveOrg, type ArchiveOrg, type SavedRecord } from '../support/archive-org.ts'
import { billingComponents, clerk } from '../support/billing-org.ts'

const number = { type: 'number', precision: 12, scale: 2 }
const formula = (expression: string, stored = true): object => ({
  ...number,
  formula: { expression, stored },
})
const computed = ['weight', 'lines', 'heft', 'twice']

/** Invoices with stored formulas over a roll-up and over an entered field; `twice` as given. */
function bodies(twice: object = formula('net * 2')): Bodies {
  const all = billing()
  const fields = [
    ...fieldsOf(all, 'invoice'),
    { key: 'heft', ...formula('coalesce(weight, 0) * 2') },
    { key: 'twice', ...twice },
  ]
  return { ...all, 'object/invoice': { ...all['object/invoice'], fields, validationRules: [] } }
}

let org: ArchiveOrg
beforeAll(async () => (org = await archiveOrg(bodies())))
afterAll(() => org.test.close())

interface Invoice {
  key: string
  body: { fields: { key: string }[] }
}
interface Clerk {
  body: { fields: Record<string, unknown> }
}

/** Applies the object of invoices, with the permissions for it, and returns the generation. */
async function deploy(next: Bodies, without: readonly string[] = []): Promise<number> {
  const invoice = (billingComponents(next) as Invoice[]).find(({ key }) => key === 'invoice')!
  const rights = clerk(next) as Clerk
  const fields = invoice.body.fields.filter(({ key }) => !without.includes(key))
  const readable = Object.entries(rights.body.fields).filter(
    ([name]) => !without.some((key) => name === `invoice.${key}`),
  )
  const components = [
    { ...invoice, body: { ...invoice.body, fields }, breaking: true },
    { ...rights, body: { ...rights.body, fields: Object.fromEntries(readable) } },
  ]
  return sent('/metadata/v3/apply', { components, rationale: 'test' })
}

async function sent(path: string, request: object): Promise<number> {
  const { status, text, body } = await org.test.studio<{ generation: number }>('POST', path, request)
  if (status !== 200) throw new Error(text)
  return body.generation
}

/** An invoice with a line. */
async function newInvoice(): Promise<string> {
  const invoice = await org.add('invoice', {
    number: crypto.randomUUID(),
    tax_point: '2022-01-01',
    net: '10',
  })
  await org.add('line', { invoice, weight: '5' })
  return invoice
}

async function values(invoice: string): Promise<Record<string, unknown>> {
  const { fields } = (await org.ada<SavedRecord>('GET', `/data/v3/invoice/${invoice}`)).body
  return Object.fromEntries(computed.map((key) => [key, fields[key]]))
}

const before = { weight: '5.00', lines: '1', heft: '10.00', twice: '20.00' }
const after = { weight: '8.00', lines: '2', heft: '16.00', twice: '14.00' }

const ways: [string, () => Promise<() => Promise<unknown>>][] = [
  [
    'a rollback',
    async () => {
      const generation = await deploy(bodies())
      await deploy(bodies(), computed)
      return () => sent('/metadata/v3/rollback', { generation, rationale: 'back' })
    },
  ],
  [
    'a revert',
    async () => {
      const generation = await deploy(bodies(), computed)
      return () => sent('/metadata/v3/revert', { generation, rationale: 'back' })
    },
  ],
]

it.each(ways)('are filled when they come back with %s', async (_, remove) => {
  const invoice = await newInvoice()
  expect(await values(invoice)).toEqual(before)
  const restore = await remove()
  await org.add('line', { invoice, weight: '3' })
  await org.update('invoice', invoice, { net: '7' })
  const between = await newInvoice()
  await restore()
  await expect.poll(() => values(invoice), { timeout: 10_000 }).toEqual(after)
  await expect.poll(() => values(between), { timeout: 10_000 }).toEqual(before)
})

it('are filled when a formula is stored again after it was computed at each read', async () => {
  const invoice = await newInvoice()
  await deploy(bodies(formula('net * 2', false)))
  await org.update('invoice', invoice, { net: '7' })
  const between = await newInvoice()
  await deploy(bodies())
  await expect.poll(async () => (await values(invoice))['twice'], { timeout: 10_000 }).toBe('14.00')
  await expect.poll(async () => (await values(between))['twice'], { timeout: 10_000 }).toBe('20.00')
})

it('are filled when the generations follow each other faster than jobs are created', async () => {
  const invoice = await newInvoice()
  await deploy(bodies(), computed)
  const child = org.add('line', { invoice, weight: '3' })
  await Promise.all([child, deploy(bodies())])
  await org.update('invoice', invoice, { net: '7' })
  await expect.poll(() => values(invoice), { timeout: 10_000 }).toEqual(after)
})

it('are not filled by a deploy that leaves them as they are', async () => {
  const fills = async (): Promise<number> => {
    const { body } = await org.ada<{ jobs: { kind: string }[] }>('GET', '/setup/v3/jobs')
    return body.jobs.filter(({ kind }) => kind === 'fill').length
  }
  const known = await fills()
  await deploy(bodies(formula('net * 3')))
  await newInvoice()
  await deploy(bodies())
  await newInvoice()
  expect(await fills()).toBe(known)
})
