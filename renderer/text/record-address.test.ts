import { expect, it } from 'vitest'
import { idOfSegment, newRecordPath, recordPath } from './record-address.ts'

const segmentOf = (path: string): string => decodeURIComponent(path.split('/').at(-1)!)

it.each(['new', '~new', '~~new', '~', 'newer', 'renew', 'A/7', '%2F', 'ü ?#'])(
  'names the record %s, and not the form for a new one',
  (id) => {
    const path = recordPath('sales_order', id)
    expect(path).not.toBe(newRecordPath('sales_order'))
    expect(path.split('/')).toHaveLength(4)
    expect(idOfSegment(segmentOf(path))).toBe(id)
  },
)

it('keeps the addresses of all other records', () => {
  expect(recordPath('customer', 'A/7')).toBe('/records/customer/A%2F7')
  expect(newRecordPath('customer')).toBe('/records/customer/new')
  expect(idOfSegment('new')).toBeNull()
})
