// A record that refers to another is named once, even if its name contains the label of its object.
import { expect, it } from 'vitest'
import { referrerName } from './referrers.ts'

it('names the object before the name of the record, unless the name begins with it', () => {
  expect(referrerName('Order', 'O-1')).toBe('Order O-1')
  expect(referrerName('Task', 'Task 0012')).toBe('Task 0012')
  expect(referrerName('Task', '…0012')).toBe('Task …0012')
})
