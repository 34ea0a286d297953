import { describe, expect, it } from 'vitest'
import { checkSection, inputsAt, lookupItems, sectionWith, twiceFindings } from './placement.ts'

const written = sectionWith({ mode: 'edit', label: 'Who', minChars: 2, required: true })
const said = (text: string) =>
  checkSection(JSON.parse(text), 'invoice').findings.map(({ code, path }) => `${code} ${path}`)

describe('a section', () => {
  it('made from a field holds values only, and nothing is said of it', () => {
    expect(said(written)).toEqual([])
    expect(inputsAt(JSON.parse(written), 0)).toEqual({
      mode: 'edit',
      label: 'Who',
      minChars: 2,
      required: true,
    })
  })

  it('is drawn and judged as in a layout, with places in itself', () => {
    const wrong = written.replace('"label"', '"lable"').replace('"minChars": 2', '"minChars": "2"')
    expect(said(wrong)).toEqual([
      'placement.input /items/0/inputs/lable',
      'placement.input /items/0/inputs/minChars',
    ])
    expect(checkSection(JSON.parse(wrong), 'invoice').section?.items).toHaveLength(1)
    const unread = written.replace('"columns": 1', '"columns": "two"')
    expect(said(unread)).toEqual(['body.type /columns'])
    expect(checkSection(JSON.parse(unread), 'invoice').section).toBeNull()
    expect(checkSection(['a'], 'invoice').findings).toMatchObject([
      { path: '', message: expect.stringContaining('A section is an object') },
    ])
  })

  it('is told what is written twice, of which only the last is read', () => {
    const twice = written.replace('"label": "Who"', '"label": "Who", "label": "Whom"')
    expect(twiceFindings(twice, 'layout/a')).toMatchObject([
      { code: 'body.duplicate_property', path: '/items/0/inputs/label', severity: 'error' },
    ])
    expect(twiceFindings(written, 'layout/a')).toEqual([])
  })

  it('has fields that can be set where its items and inputs are what they must be', () => {
    expect(lookupItems(JSON.parse(written))).toEqual([0])
    expect(lookupItems({ items: [{ key: 'lookup_field' }, { key: 'lookup_field', inputs: 'x' }] })).toEqual([
      0,
    ])
    for (const none of [null, [], {}, { items: {} }, 'x']) expect(lookupItems(none)).toEqual([])
    expect(inputsAt(null, 3)).toEqual({})
  })
})
