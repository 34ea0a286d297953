import { describe, expect, it } from 'vitest'
import type { Component } from '../body-types.ts'
import { component, findingsOf } from '../rule-fixture.ts'

const text = (key: string, more: object = {}): object => ({ key, type: 'text', ...more })
const invoice = (...fields: object[]) => component('object/invoice', { fields, aliases: ['bill'] })
const set = (key: string, objects: object, fields: object = {}): Component =>
  component(`permission_set/${key}`, { objects, fields }) as Component
const read = { read: true }
const clerk = set('clerk', { invoice: read }, { 'invoice.number': read })
const auditor = set('auditor', { bill: read })

const warnings = (subject: ReturnType<typeof invoice>, sets: Component[], base?: Component): string[] =>
  findingsOf(subject, {
    others: sets,
    ...(base === undefined ? {} : { base: [base] }),
  }).flatMap(({ severity, code, path, message }) =>
    code === 'permission.field_not_granted' ? [`${severity} ${path} ${message}`] : [],
  )

const before = invoice(text('number'), text('memo')) as Component
const grown = invoice(text('number'), text('memo'), text('discount', { label: 'Discount' }))

describe('a new field', () => {
  it('is reported with the permission sets that could grant it', () => {
    const other = set('other', { customer: read })
    expect(warnings(grown, [clerk, auditor, other], before)).toEqual([
      'warning /body/fields/2 No permission set grants reading Discount of invoice, so only users with platform.root can read it. Grant "invoice.discount" in auditor or clerk.',
    ])
  })

  it.each([
    ['to read', 'invoice.discount', read],
    ['to edit, which includes reading', 'invoice.discount', { edit: true }],
    ['by an alias of the object', 'bill.discount', read],
  ])('is accepted with a grant %s', (_, path, rights) => {
    expect(warnings(grown, [set('clerk', { invoice: read }, { [path]: rights })], before)).toEqual([])
  })

  it('is accepted with a grant on one of its aliases', () => {
    const renamed = invoice(text('number'), text('rebate', { aliases: ['discount'] }))
    expect(
      warnings(renamed, [
        set('clerk', { invoice: read }, { 'invoice.number': read, 'invoice.discount': read }),
      ]),
    ).toEqual([])
  })

  it('is not one that was there under a former key', () => {
    expect(warnings(invoice(text('number'), text('note', { aliases: ['memo'] })), [clerk], before)).toEqual(
      [],
    )
  })

  it('is not reported if no permission set grants its object', () => {
    expect(warnings(grown, [set('other', { customer: read, invoice: { create: true } })], before)).toEqual([])
  })

  it('is accepted with a grant in a set that does not grant its object, because users can hold both', () => {
    const fieldsOnly = set('fields', {}, { 'invoice.discount': read })
    expect(warnings(grown, [clerk, fieldsOnly], before)).toEqual([])
  })

  it('is reported of a new object too', () => {
    expect(warnings(grown, [clerk])).toHaveLength(2)
  })

  it('is reported with the number of permission sets that the message does not name', () => {
    const many = Array.from({ length: 7 }, (_, at) => set(`set_${at}`, { invoice: read }))
    expect(warnings(grown, many, before)[0]).toContain('in set_0, set_1, set_2, set_3, set_4 or 2 more.')
  })
})
