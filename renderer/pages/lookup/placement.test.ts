import { describe, expect, it } from 'vitest'
import { checkSection, inputsAt, lookupItems, sectionWith, textFindings } from './placement.ts'

const written = sectionWith({ mode: 'edit', label: 'Who', minChars: 2, required: true })
const findingTexts = (text: string) =>
  checkSection(JSON.parse(text), 'invoice').findings.map(({ code, path }) => `${code} ${path}`)

describe('a section', () => {
  it('made from a field contains values only, and has no findings', () => {
    expect(findingTexts(written)).toEqual([])
    expect(inputsAt(JSON.parse(written), 0)).toEqual({
      mode: 'edit',
      label: 'Who',
      minChars: 2,
      required: true,
    })
  })

  it('is drawn and checked as in a layout, with paths into the section', () => {
    const wrong = written.replace('"label"', '"lable"').replace('"minChars": 2', '"minChars": "2"')
    expect(findingTexts(wrong)).toEqual([
      'placement.input /items/0/inputs/lable',
      'placement.input /items/0/inputs/minChars',
    ])
    expect(checkSection(JSON.parse(wrong), 'invoice').section?.items).toHaveLength(1)
    const unread = written.replace('"columns": 1', '"columns": "two"')
    expect(findingTexts(unread)).toEqual(['body.type /columns'])
    expect(checkSection(JSON.parse(unread), 'invoice').section).toBeNull()
    expect(checkSection(['a'], 'invoice').findings).toMatchObject([
      { path: '', message: expect.stringContaining('A section is an object') },
    ])
  })

  it.each([
    [
      '"label": "Who" /* Whom */',
      'draft.json',
      '',
      /^the text is not valid JSON: at line 12.* there is a comment,/,
    ],
    ['"label": "Who",,', 'draft.json', '', /^the text is not valid JSON: at line 12.* the comma/],
    ['"label": "Who", "label": "Whom"', 'body.duplicate_property', '/items/0/inputs/label', /twice.*again/],
    ['"label": 9007199254740993', 'body.number', '/items/0/inputs/label', /more digits/],
  ])('with %s gets the findings of the server', (wrong, code, path, message) => {
    const text = written.replace('"label": "Who"', wrong)
    expect(textFindings(text, 'layout/a', 'the text')).toMatchObject([
      { code, path, severity: 'error', component: 'layout/a', message: expect.stringMatching(message) },
    ])
    expect(textFindings(written, 'layout/a', 'the text')).toEqual([])
  })

  it('gets a finding for a null as the value of an input', () => {
    const nulls = written.replace('"Who"', 'null').replace('"required": true', '"lable": null')
    const { section, findings } = checkSection(JSON.parse(nulls), 'invoice')
    expect(findings).toMatchObject([
      {
        ...{ severity: 'warning', code: 'placement.input', path: '/items/0/inputs/label' },
        message: expect.stringContaining('"label" of lookup_field is text; null counts as omitted'),
      },
      { path: '/items/0/inputs/lable', message: expect.stringContaining('"lable" is null') },
    ])
    // It is drawn as the server reads it.
    expect(section?.items[0]?.inputs).toEqual({ mode: 'edit', minChars: 2 })
    expect(findingTexts(nulls.replace('"columns": 1', '"columns": "two"'))).toHaveLength(3)
  })

  it('has fields that can be set if its items and inputs have the right shape', () => {
    expect(lookupItems(JSON.parse(written))).toEqual([0])
    expect(lookupItems({ items: [{ key: 'lookup_field' }, { key: 'lookup_field', inputs: 'x' }] })).toEqual([
      0,
    ])
    for (const none of [null, [], {}, { items: {} }, 'x']) expect(lookupItems(none)).toEqual([])
    expect(inputsAt(null, 3)).toEqual({})
  })
})
