import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { addressOfLink, addressOfPage, asAddress } from './studio-address.ts'

const origin = 'http://127.0.0.1:4680'

describe('a URL in the studio', () => {
  it.each([
    ['almanac://studio', '/'],
    ['almanac://studio/', '/'],
    ['almanac://studio/c/config_set/vat_rate?row=3#json', '/c/config_set/vat_rate?row=3#json'],
    ['almanac://studio//example.org/', null],
    ['almanac://studio/\\example.org', null],
    ['almanac://elsewhere/changes', null],
    ['https://studio/changes', null],
    ['changes', null],
  ])('of the link %s is %s', (link, address) => {
    expect(addressOfLink(link)).toBe(address)
  })

  it.each([
    [`${origin}/changes?x=1#y`, '/changes?x=1#y'],
    [`${origin}/`, '/'],
    [`${origin}/session?once=abc`, null],
    ['http://127.0.0.1:4681/changes', null],
    ['data:text/html,x', null],
    ['', null],
  ])('of the page %s is %s', (page, address) => {
    expect(addressOfPage(page, origin)).toBe(address)
    expect(addressOfPage(page, null)).toBeNull()
  })

  it('never leads to another origin, for any stored value', () => {
    fc.assert(
      fc.property(
        fc.oneof(
          fc.string(),
          fc.webUrl(),
          fc.string().map((text) => `/${text}`),
          fc.stringMatching(/^[/\\@.:\t ]{1,6}[a-z.]{0,9}$/),
        ),
        (value) => {
          const address = asAddress(value)
          if (address !== null) expect(new URL(origin + address).origin).toBe(origin)
        },
      ),
      { numRuns: 2000 },
    )
  })
})
