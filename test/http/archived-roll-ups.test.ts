// Archived values that read roll-ups: a save of a child is refused as a save of the record itself is.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { billing, type Bodies } from '../../server/kernel/records/fixture.ts'
import { fieldsOf } from '../records/bodies.ts'
import { archiveOrg, type ArchiveOrg, type SavedRecord } from '../support/archive-org.ts'

/** Invoices with a stored formula over a roll-up, through another formula. */
function withShare(): Bodies {
  const bodies = billing()
  const number = { type: 'number', precision: 12, scale: 2 }
  const formula = (expression: string): object => ({ ...number, formula: { expression, stored: true } })
  const fields = [
    ...fieldsOf(bodies, 'invoice'),
    { key: 'heft', ...formula('coalesce(weight, 0) * 2') },
    { key: 'share', ...formula('heft * config.vat("AT").rate') },
  ]
  return { ...bodies, 'object/invoice': { ...bodies['object/invoice'], fields } }
}

let org: ArchiveOrg
let invoice: string
let line: string
const refused = { status: 409, body: { code: 'record.archived' } }
const share = async (): Promise<unknown> =>
  (await org.ada<SavedRecord>('GET', `/data/v3/invoice/${invoice}`)).body.fields

beforeAll(async () => {
  org = await archiveOrg(withShare())
  invoice = await org.add('invoice', { number: 'R-1', tax_point: '2022-01-01', net: '10' })
  line = await org.add('line', { invoice, weight: '5' })
  await org.archive(invoice, 'share')
})
afterAll(() => org.test.close())

describe('an archived value that reads a roll-up', () => {
  it('refuses inserts, changes and deletes of the children that change the roll-up', async () => {
    const inserted = await org.ada('POST', '/data/v3/line', { invoice, weight: '3' })
    expect(inserted).toMatchObject(refused)
    expect(inserted.text).toContain('invoice.weight cannot be changed')
    expect(await org.update('line', line, { weight: '6' })).toMatchObject(refused)
    const removed = await org.ada('DELETE', `/data/v3/line/${line}`, undefined, { 'if-match': '*' })
    expect(removed).toMatchObject(refused)
    expect(await share()).toMatchObject({ weight: '5.00', share: '2.00' })
  })

  it('allows changes of the children that leave the roll-up as it is', async () => {
    await org.add('line', { invoice })
    expect(await share()).toMatchObject({ lines: '2', weight: '5.00', share: '2.00' })
  })

  it('allows the changes once the record was recomputed', async () => {
    await org.ada('POST', `/data/v3/invoice/${invoice}/recompute`, undefined, { 'if-match': '*' })
    expect(await org.update('line', line, { weight: '10' })).toMatchObject({ status: 200 })
    expect(await share()).toMatchObject({ weight: '10.00', share: '4.00' })
  })
})
