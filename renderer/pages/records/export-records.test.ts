// A CSV file of records: as the grid shows them, or with what an import needs.
import { expect, it } from 'vitest'
import type { FieldDescription } from '../../api/records.ts'
import { recordsCsv } from './export-records.ts'

const field = (key: string, type: string, more: object = {}): FieldDescription =>
  ({ key, type, label: key, references: null, labels: null, ...more }) as FieldDescription
const buyer = field('buyer', 'reference', { references: 'buyer' })
const stage = field('stage', 'enum', { labels: { won: 'Won' } })
const records = [
  { id: 'r1', buyer: 'b1', 'buyer.name': '=Hamm', stage: 'won', paid: true, net: '-1.50' },
  // Of a record that the user cannot see.
  { id: 'r2', buyer: 'b2', 'buyer.name': null, stage: 'lost', paid: null, net: null },
].map(({ id, ...fields }) => ({ id, object: 'order', version: 1, fields }))

async function written(form: 'shown' | 'keys'): Promise<string> {
  const name = (own: FieldDescription): string =>
    own.references !== null && form === 'shown' ? 'buyer.name' : own.key
  const fields = [buyer, stage, field('paid', 'boolean'), field('net', 'number')]
  const columns = fields.map((own) => ({ name: name(own), head: own.key.toUpperCase(), field: own }))
  const page = { records, nextCursor: null }
  const text = await recordsCsv(
    { columns, form },
    async () => page,
    () => undefined,
  )
  return text.replaceAll('\r', '')
}

it('begins what is opened in a spreadsheet with a byte order mark, and writes names and labels as they are shown, and the ID of a record that has no name here', async () => {
  expect(await written('shown')).toBe("\ufeffBUYER,STAGE,PAID,NET\n'=Hamm,Won,yes,-1.50\nb2,lost,,\n")
})

it('writes IDs and keys for an import', async () => {
  expect(await written('keys')).toBe('id,BUYER,STAGE,PAID,NET\nr1,b1,won,true,-1.50\nr2,b2,lost,,\n')
})
