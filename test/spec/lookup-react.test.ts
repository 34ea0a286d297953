// The attributes of <LookupField>, which must mean the same in each version of React.
import { describe, expect, it } from 'vitest'
import { attributesOf } from '../../elements/frameworks/react-attributes.js'

const flags = ['required', 'disabled', 'invalid', 'inline', 'hidden', 'inert', 'autoFocus']

describe('the attributes of the React component', () => {
  it.each(flags)('omit %s if it is false, because React 18 writes false as text', (name) => {
    expect(attributesOf({ [name]: false })).toEqual({})
    expect(attributesOf({ [name]: undefined })).toEqual({})
    expect(Object.keys(attributesOf({ [name]: true }))).toEqual([name])
  })

  it('keep the text "false" if HTML has it', () => {
    expect(attributesOf({ spellCheck: false, 'aria-busy': false, hidden: 'until-found' })).toEqual({
      spellCheck: false,
      'aria-busy': false,
      hidden: 'until-found',
    })
  })

  it('write lists, numbers and names as the element reads them', () => {
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
