// The records of the sample: customers and their invoices, invented. Some tax points are in the past, where the rates were
// different, and some in the next year, whose rate a later generation changes.
import { addDays, type CivilDate } from '#kernel/dates/civil-date.ts'
import { AlmanacError } from '#kernel/errors/almanac-error.ts'
import type { Actor } from '../access/index.ts'
import type { Org } from '../pipeline/index.ts'
import type { CommandItem, Records } from '../records/index.ts'

const customers = [
  ['Harbour Papers', 'DE', 'Hamburg'],
  ['North Light Press', 'DE', 'Kiel'],
  ['Rousseau Studio', 'FR', 'Lyon'],
  ['Novak Optics', 'AT', 'Graz'],
  ['Canal Glasses', 'NL', 'Utrecht'],
  ['Lakeside Optics', 'FI', 'Helsinki'],
] as const

type Line = readonly [description: string, quantity: string, price: string]
interface Invoice {
  /** The place of the customer in the list. */
  customer: number
  territory: string
  taxPoint: CivilDate
  state: 'draft' | 'sent' | 'paid'
  lines: readonly Line[]
}

const frames: Line = ['Acetate frames', '12', '48.50']
const lenses: Line = ['Single vision lenses, pair', '30', '21.90']
const cloths: Line = ['Cleaning cloths, pack of 100', '4', '17.25']
const cases: Line = ['Hard cases', '60', '2.40']
const display: Line = ['Counter display', '1', '340.00']

function invoicesOf(today: CivilDate): Invoice[] {
  const nextYear = `${Number(today.slice(0, 4)) + 1}-02-01` as CivilDate
  const ago = (days: number): CivilDate => addDays(today, -days)
  const invoice = (
    customer: number,
    taxPoint: CivilDate,
    state: Invoice['state'],
    ...lines: Line[]
  ): Invoice => ({ customer, territory: customers[customer]![1], taxPoint, state, lines })
  return [
    invoice(0, '2020-03-02' as CivilDate, 'paid', frames, cases),
    invoice(0, '2020-08-15' as CivilDate, 'paid', frames, lenses),
    invoice(1, '2020-12-31' as CivilDate, 'paid', cloths),
    invoice(1, '2021-01-04' as CivilDate, 'paid', cloths),
    invoice(2, ago(300), 'paid', lenses, cases),
    invoice(3, ago(210), 'paid', display),
    invoice(4, ago(180), 'paid', frames, lenses, cases),
    invoice(5, ago(120), 'paid', lenses),
    invoice(0, ago(90), 'paid', frames, display),
    invoice(2, ago(64), 'sent', frames),
    invoice(3, ago(40), 'sent', lenses, cloths),
    invoice(4, ago(21), 'sent', cases),
    invoice(5, ago(12), 'sent', display, frames),
    invoice(1, ago(3), 'sent', lenses),
    invoice(0, nextYear, 'draft', frames, lenses, cases),
    invoice(1, nextYear, 'draft', display),
  ]
}

/** Saved in one transaction, in the active generation. */
export async function saveSampleRecords(
  { org, records }: { org: Org; records: Records },
  { actor, correlationId }: Actor,
  today: CivilDate,
): Promise<void> {
  const items: CommandItem[] = customers.map(([name, territory, city]) => ({
    ...{ op: 'insert', object: 'customer', fields: { name, territory, city } },
  }))
  for (const [index, { customer, territory, taxPoint, state, lines }] of invoicesOf(today).entries()) {
    const invoice = items.length
    const fields = { number: `INV-${1041 + index}`, customer: { item: customer }, territory, state }
    items.push({ op: 'insert', object: 'invoice', fields: { ...fields, tax_point: taxPoint } })
    for (const [description, quantity, price] of lines) {
      const line = { invoice: { item: invoice }, description, quantity, unit_price: price }
      items.push({ op: 'insert', object: 'invoice_line', fields: line })
    }
  }
  const scopePath = { environment: org.facts().environment }
  const { results } = await records.save({
    ...{ generation: org.activeGeneration(), user: actor, correlationId, scopePath },
    ...{ items, allOrNone: true, reply: 'ids' },
  })
  for (const result of results)
    if (!result.ok) throw new AlmanacError(result.error.code, result.error.message)
}
