import { describe, expect, it } from 'vitest'
import type { Component } from '../body-types.ts'
import { buildCandidate } from '../../change/candidate.ts'
import { validateCandidate } from '../../change/validate.ts'
import { MemoryView } from '../memory-view.ts'
import { component, date, findingsOf, principals } from '../rule-fixture.ts'

const country = component('object/country', { fields: [{ key: 'name', type: 'text' }] })
const customer = component('object/customer', {
  fields: [
    { key: 'name', type: 'text', aliases: ['title'] },
    { key: 'country', type: 'reference', references: 'country' },
  ],
})
const invoice = component('object/invoice', {
  fields: [
    { key: 'amount', type: 'number', precision: 12, scale: 2 },
    { key: 'customer', type: 'reference', references: 'customer' },
    { key: 'payer', type: 'reference', references: 'nobody' },
  ],
})
const bill = component('object/invoice', {
  fields: [{ key: 'customer', type: 'reference', references: 'customer' }],
})
const others = [country, customer, invoice] as Component[]

const list = (columns: string[], orderBy: { field: string }[] = []) =>
  component('list_view/open', { object: 'invoice', columns, orderBy })
const checkColumns = (columns: string[], orderBy: { field: string }[] = []) =>
  findingsOf(list(columns, orderBy), { others }).map(({ code, path, message }) => ({ code, path, message }))

describe('a list view', () => {
  it('can follow references to any depth, by keys and by aliases', () => {
    expect(
      checkColumns(['amount', 'customer.name', 'customer.country.name', 'customer.title', 'customer']),
    ).toEqual([])
  })

  it('names the step that does not exist, and suggests a name', () => {
    expect(checkColumns(['amount', 'customer.nam', 'customer.country.nmae'])).toEqual([
      {
        code: 'reference.unknown_field',
        path: '/body/columns/1',
        message:
          '"customer.nam": customer, which customer of invoice refers to, has no field "nam". Did you mean "name"?',
      },
      {
        code: 'reference.unknown_field',
        path: '/body/columns/2',
        message:
          '"customer.country.nmae": country, which country of customer refers to, has no field "nmae". Did you mean "name"?',
      },
    ])
  })

  it('reports a field that follows a value', () => {
    expect(checkColumns(['amount.cents'])).toMatchObject([
      {
        path: '/body/columns/0',
        message:
          '"amount.cents": amount of invoice is of type number, so "cents" cannot follow it. Only references can be followed.',
      },
    ])
  })

  it('checks its order in the same way', () => {
    expect(checkColumns([], [{ field: 'customer.nam' }])).toMatchObject([{ path: '/body/orderBy/0/field' }])
  })

  it('is checked again when a referenced object changes', () => {
    const base = new MemoryView([
      ...others.filter(({ key }) => key !== 'invoice'),
      bill,
      list(['customer.name']),
    ])
    const renamed = component('object/customer', { fields: [{ key: 'full_name', type: 'text' }] })
    const candidate = buildCandidate(base, { components: [{ component: renamed as Component, hints: {} }] })
    const { findings } = validateCandidate(candidate, base, { today: date('2026-06-01'), principals })
    expect(findings.map(({ component, path }) => `${component} ${path}`)).toContain(
      'list_view/open /body/columns/0',
    )
  })

  it('is checked by the same rule as a layout', () => {
    const placed = { id: 'a', type: 'field', key: 'customer.nam' }
    const layout = component('layout/invoice', {
      object: 'invoice',
      sections: [{ id: 'main', section: 'Main', columns: 1, items: [placed] }],
    })
    expect(findingsOf(layout, { others })).toMatchObject([
      { path: '/body/sections/0/items/0/key', message: expect.stringContaining('mean "name"') as string },
    ])
  })

  it('reports an unknown first step only once, and an unknown object not at all', () => {
    expect(checkColumns(['custmer.name'])).toMatchObject([
      { message: expect.stringContaining('"custmer"') as string },
    ])
    expect(checkColumns(['payer.name'])).toEqual([])
  })
})
