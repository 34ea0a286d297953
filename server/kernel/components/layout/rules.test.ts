import { describe, expect, it } from 'vitest'
import { buildCandidate } from '../../change/candidate.ts'
import { validateCandidate } from '../../change/validate.ts'
import { buildGraph, whereUsed } from '../../graph/index.ts'
import type { Component } from '../body-types.ts'
import { MemoryView } from '../memory-view.ts'
import { component, date, findingsOf, principals } from '../rule-fixture.ts'

const invoice = component('object/invoice', {
  fields: [
    { key: 'number', type: 'text' },
    { key: 'state', type: 'text' },
  ],
})
const line = component('object/line', {
  fields: [
    { key: 'text', type: 'text' },
    { key: 'bill', type: 'reference', references: 'invoice' },
    { key: 'other', type: 'reference', references: 'line' },
  ],
})
const lines = component('list_view/lines', { object: 'line', columns: ['text'] })
const others = [invoice, line, lines] as Component[]
const layout = (item: object) =>
  component('layout/page', {
    object: 'invoice',
    sections: [{ id: 'main', section: 'Main', items: [{ id: 'a', type: 'component', ...item }] }],
  })
const listed = (via: string) => layout({ key: 'list_view', inputs: { listView: 'lines', via } })
const found = (item: object) =>
  findingsOf(layout(item), { others }).map(({ code, path, message }) => ({ code, path, message }))
const at = '/body/sections/0/items/0/inputs'

describe('a list on a record page', () => {
  const via = (name: string) => found({ key: 'list_view', inputs: { listView: 'lines', via: name } })

  it('shows the records that refer to the record through "via"', () => {
    expect(via('bill')).toEqual([])
  })

  it('reports a "via" that is not a reference to the object of the page', () => {
    expect(via('bil')).toEqual([
      {
        code: 'reference.unknown_field',
        path: `${at}/via`,
        message: 'line has no field "bil". Did you mean "bill"?',
      },
    ])
    expect(via('text')).toEqual([
      {
        code: 'placement.input',
        path: `${at}/via`,
        message: 'text of line is of type text. Name a reference to invoice.',
      },
    ])
    expect(via('other')).toMatchObject([
      { message: 'other of line refers to line. Name a reference to invoice.' },
    ])
  })

  it('is a use of the reference, whose removal is refused', () => {
    const base = new MemoryView([...others, listed('bill') as Component])
    expect(whereUsed(buildGraph(base), 'object/line', 'bill')).toMatchObject([
      { from: 'layout/page', path: `${at}/via` },
    ])
    const without = component('object/line', { fields: [{ key: 'text', type: 'text' }] })
    const candidate = buildCandidate(base, { components: [{ component: without as Component, hints: {} }] })
    const { findings } = validateCandidate(candidate, base, { today: date('2026-06-01'), principals })
    expect(findings.map(({ component, path }) => `${component} ${path}`)).toEqual([`layout/page ${at}/via`])
  })
})

describe('a lookup field on a record page', () => {
  it('changes a reference', () => {
    expect(found({ key: 'lookup_field', inputs: { field: 'state' } })).toEqual([
      {
        code: 'placement.input',
        path: `${at}/field`,
        message: 'state of invoice is of type text. Name a reference.',
      },
    ])
  })

  it('matches and shows only fields of the records that it finds', () => {
    const lookup = (inputs: object) => found({ key: 'lookup_field', inputs: { object: 'line', ...inputs } })
    expect(lookup({ matchFields: 'text', displayFields: 'text, bill.number' })).toEqual([])
    expect(lookup({ matchFields: 'text,txt' })).toEqual([
      {
        code: 'reference.unknown_field',
        path: `${at}/matchFields`,
        message: 'line has no field "txt". Did you mean "text"?',
      },
    ])
    expect(lookup({ matchFields: 'bill' })).toEqual([
      {
        code: 'placement.input',
        path: `${at}/matchFields`,
        message:
          '"bill" of line is of type reference, so it cannot be searched. Name stored text fields of line.',
      },
    ])
    expect(lookup({ matchFields: 'bill.number' })).toMatchObject([{ path: `${at}/matchFields` }])
    expect(lookup({ displayFields: 'tex' })).toMatchObject([{ path: `${at}/displayFields` }])
    expect(lookup({ displayFields: 'bill.nummer' })).toMatchObject([{ path: `${at}/displayFields` }])
  })

  it('matches fields of the object that its reference names, whose removal is refused', () => {
    const on = component('layout/page', {
      object: 'line',
      sections: [
        {
          ...{ id: 'main', section: 'Main' },
          items: [
            {
              ...{ id: 'a', type: 'component', key: 'lookup_field' },
              inputs: { field: 'bill', matchFields: 'number, stat' },
            },
          ],
        },
      ],
    })
    expect(findingsOf(on, { others })).toMatchObject([
      { message: 'invoice has no field "stat". Did you mean "state"?' },
    ])
    const base = new MemoryView([...others, on as Component])
    expect(whereUsed(buildGraph(base), 'object/invoice', 'number')).toMatchObject([
      { from: 'layout/page', path: `${at}/matchFields` },
    ])
  })

  it('finds the records of a field or of an object, and not of both', () => {
    expect(found({ key: 'lookup_field', inputs: { object: 'line' } })).toEqual([])
    expect(found({ key: 'lookup_field', inputs: { object: 'lien' } })).toMatchObject([])
    const both = component('layout/page', {
      object: 'line',
      sections: [
        {
          ...{ id: 'main', section: 'Main' },
          items: [
            { id: 'a', type: 'component', key: 'lookup_field', inputs: { object: 'line', field: 'bill' } },
          ],
        },
      ],
    })
    expect(findingsOf(both, { others })).toMatchObject([{ path: `${at}/object` }])
  })
})
