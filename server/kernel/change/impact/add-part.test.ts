import { expect, it } from 'vitest'
import { addPart } from './add-part.ts'
import type { RecordFieldImpact, RecordsImpact } from './impact-view.ts'

const item = (id: string) => ({ id, name: id, stored: '1', now: '1', after: '2', afterError: null })
const field = (name: string, ids: string[]): RecordFieldImpact => ({
  ...{ object: 'invoice', objectLabel: 'Invoice', field: name, label: name, added: false },
  ...{ changed: ids.length, items: ids.map(item) },
})
const part = (fields: RecordFieldImpact[], next: string | null): RecordsImpact => ({
  ...{ base: 2, changeDigest: 'd', total: 100, fields, looked: 50, hidden: 1, unfollowed: 2, next },
})

it('adds up the counts of all parts, and names the first records of each field', () => {
  const many = Array.from({ length: 19 }, (_, at) => `a${at}`)
  const sum = addPart(
    addPart(null, part([field('tax', many)], 'n')),
    part([field('tax', ['b', 'c']), field('net', ['b'])], null),
  )
  expect(sum).toMatchObject({ looked: 100, hidden: 2, unfollowed: 4, total: 100, next: null })
  expect(sum.fields.map(({ field: name, changed, items }) => [name, changed, items.at(-1)!.id])).toEqual([
    ['tax', 21, 'b'],
    ['net', 1, 'b'],
  ])
})
