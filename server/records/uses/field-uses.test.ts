// Uses wait in memory until they are written, once a minute each.
import { expect, it } from 'vitest'
import type { FieldId, ObjectId } from '#kernel/records/index.ts'
import { createFieldUses } from './field-uses.ts'

const phone = { object: 'object/customer@1' as ObjectId, field: 1 as FieldId, name: 'phone' }

it('takes each use once a minute, and again what could not be written', () => {
  const uses = createFieldUses()
  uses.note('ada', [phone], '2027-01-01T10:00:01.000Z')
  const taken = uses.take()
  expect(taken).toEqual([{ ...phone, client: 'ada', at: '2027-01-01T10:00:00.000Z' }])
  uses.note('ada', [phone], '2027-01-01T10:00:59.000Z')
  expect(uses.take()).toEqual([])
  uses.putBack(taken)
  expect(uses.take()).toEqual(taken)
  expect(uses.take()).toEqual([])
})

it('does not replace a later use by what is put back', () => {
  const uses = createFieldUses()
  uses.note('ada', [phone], '2027-01-01T10:00:01.000Z')
  const taken = uses.take()
  uses.note('ada', [phone], '2027-01-01T10:01:01.000Z')
  uses.putBack(taken)
  expect(uses.take().map(({ at }) => at)).toEqual(['2027-01-01T10:01:00.000Z'])
})
