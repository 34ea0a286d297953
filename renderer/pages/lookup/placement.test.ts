import { describe, expect, it } from 'vitest'
import { below, checkSection, inputsAt, lookupItems, sectionWith, withInput } from './placement.ts'

const written = sectionWith({ mode: 'edit', label: 'Who', minChars: 2, required: true })
const said = (text: string) =>
  checkSection(text, 'invoice').findings.map(({ code, path }) => `${code} ${path}`)

describe('a section as text', () => {
  it('made from a field holds values only, and nothing is said of it', () => {
    expect(said(written)).toEqual([])
    expect(inputsAt(written, 0)).toEqual({ mode: 'edit', label: 'Who', minChars: 2, required: true })
  })

  it('is drawn and judged as in a layout, with places in this text', () => {
    const wrong = written.replace('"label"', '"lable"').replace('"minChars": 2', '"minChars": "2"')
    expect(said(wrong)).toEqual([
      'placement.input /items/0/inputs/lable',
      'placement.input /items/0/inputs/minChars',
    ])
    expect(checkSection(wrong, 'invoice').section?.items).toHaveLength(1)
    const unread = written.replace('"columns": 1', '"columns": "two"')
    expect(said(unread)).toEqual(['body.type /columns'])
    expect(checkSection(unread, 'invoice').section).toBeNull()
  })

  it('is nothing while it is no JSON', () => {
    expect(checkSection('{ "id": ', 'invoice')).toEqual({ section: null, findings: [] })
    expect(lookupItems('[')).toEqual([])
    expect(inputsAt('null', 3)).toEqual({})
  })

  it('takes one input, and leaves the rest as it was written', () => {
    const loose = written.replace('"label": "Who"', '"label":   "Who"')
    const next = withInput(loose, 0, 'message', 'Pick one.')
    expect(inputsAt(next, 0)).toMatchObject({ message: 'Pick one.', label: 'Who' })
    expect(next).toContain('"label":   "Who"')
    expect(inputsAt(withInput(next, 0, 'message', undefined), 0)).not.toHaveProperty('message')
  })

  it('is told its own findings of a layout, not those of the eleventh section', () => {
    const finding = (path: string) => ({
      ...{ severity: 'error' as const, code: 'x', component: 'layout/a', path, message: '', related: [] },
    })
    const all = [
      finding('/body/sections/1/items/0'),
      finding('/body/sections/11/id'),
      finding('/body/object'),
    ]
    expect(below(all, 1).map(({ path }) => path)).toEqual(['/items/0'])
  })
})
