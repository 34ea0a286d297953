import { describe, expect, it } from 'vitest'
import { attributeOf } from '#kernel/components/placeable-elements.ts'
import { attributesOf, fieldFrom, inputFrom, inputNames, queryOf, type ShownField } from './shown-field.ts'

const full: ShownField = {
  inputs: {
    ...{ mode: 'edit', value: '7', display: 'Ada & “Bob”', label: 'Who', matchFields: 'name,city' },
    ...{ minChars: 2, searchDelay: 0, required: true, message: 'Pick.' },
  },
  source: 'keys:vat_rate',
  dir: 'rtl',
}

describe('the field as a URL', () => {
  it('survives the URL, with any attribute', () => {
    expect(fieldFrom(queryOf(full))).toEqual(full)
  })

  it('is null if it names neither an attribute nor a source', () => {
    expect(fieldFrom({})).toBeNull()
    expect(fieldFrom({ view: 'placement' })).toBeNull()
    expect(fieldFrom({ source: 'slow' })).toEqual({ inputs: {}, source: 'slow', dir: 'ltr' })
  })

  it('names every attribute as markup does', () => {
    expect(attributesOf(full.inputs)).toMatchObject({
      'match-fields': 'name,city',
      'min-chars': '2',
      required: '',
    })
    const all = Object.fromEntries(inputNames.map((name) => [attributeOf(name), '1']))
    expect(Object.keys(queryOf({ ...fieldFrom(all)!, source: 's' })).sort()).toEqual(
      [...Object.keys(all), 'source'].sort(),
    )
  })

  it('omits what is off, and what is not a number', () => {
    expect(attributesOf({ required: false, inline: true })).toEqual({ inline: '' })
    for (const none of ['-1', '1.5', '1e+23', '9'.repeat(16)]) expect(inputFrom('minChars', none)).toBeNull()
    expect(inputFrom('minChars', '0')).toBe(0)
    expect(inputFrom('minChars', '')).toBeUndefined()
    expect(inputFrom('label', '')).toBeUndefined()
    expect(fieldFrom({ 'min-chars': '1.5', label: 'Who' })?.inputs).toEqual({ label: 'Who' })
  })
})
