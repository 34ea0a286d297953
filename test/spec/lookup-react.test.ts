// The attributes of <LookupField>, which have to mean the same in each version of React.
import { describe, expect, it } from 'vitest'
import { attributesOf } from '../../elements/frameworks/react-attributes.js'

const flags = ['required', 'disabled', 'invalid', 'inline', 'hidden', 'inert', 'autoFocus']

describe('the attributes of the React component', () => {
  it.each(flags)('%s is absent if false, because React 18 writes it as text', (name) => {
    expect(attributesOf({ [name]: false })).toEqual({})
    expect(attributesOf({ [name]: undefined })).toEqual({})
    expect(Object.keys(attributesOf({ [name]: true }))).toEqual([name])
  })

  it('keeps the text of false where HTML has it', () => {
    expect(attributesOf({ spellCheck: false, 'aria-busy': false, hidden: 'until-found' })).toEqual({
      spellCheck: false,
      'aria-busy': false,
      hidden: 'until-found',
    })
  })

  it('writes lists, numbers and names as the element reads them', () => {
    expect(
      attributesOf({
        displayFields: ['a', 'b'],
        matchFields: 'a',
        minChars: 2,
        className: 'wide',
        value: null,
      }),
    ).toEqual({ 'display-fields': 'a,b', 'match-fields': 'a', 'min-chars': 2, class: 'wide' })
  })
})
