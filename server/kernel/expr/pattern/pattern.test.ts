import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { compilePattern, PatternError } from './pattern.ts'

describe('patterns', () => {
  it.each<[string, string, boolean]>([
    ['^DE[0-9]{9}$', 'DE123456789', true],
    ['^DE[0-9]{9}$', 'xDE123456789', false],
    ['b+', 'abbc', true],
    ['^(a|bc)*$', 'abcabc', true],
    ['^(a|bc)*$', 'abcab', false],
    ['^\\d{2,3}$', '1234', false],
    ['^[^a-c]$', 'd', true],
    ['^[]a]$', ']', true],
    ['^[a-]$', '-', true],
    ['^.$', '😀', true],
    ['\\bcat\\b', 'a cat sat', true],
    ['\\bcat\\b', 'concat', false],
    ['^a??b$', 'b', true],
    ['', '', true],
    ['^(?:\\.|x)$', '.', true],
    ['(a*)*$', 'b', true],
    ['^[\\.-z]$', 'a', true],
    ['^[\\t-\\r]$', '\n', true],
    ['^[+-\\.]$', '-', true],
    ['^[[:]$', ':', true],
    ['^\\s$', '\v', false],
  ])('%s in %j is %j', (pattern, text, expected) => {
    expect(compilePattern(pattern)(text)).toBe(expected)
  })

  it.each([
    '(',
    ')',
    'a**',
    '*',
    '[a',
    '[z-a]',
    '\\',
    '(?=a)',
    '(?<n>a)',
    '\\1',
    'a{3,2}',
    'a{9999}',
    'a{',
    '[a-\\d]',
    '[[:alpha:]]',
    '[^[:^digit:]x]',
    '((a{500}){500})',
    '((((){999}){999}){999})',
  ])('%s is refused with a place', (pattern) => {
    expect(() => compilePattern(pattern)).toThrow(PatternError)
  })

  it('report the replacement of an unsupported RE2 class, and the place', () => {
    const fault = (() => {
      try {
        return compilePattern('^x😀[[:alpha:]]')
      } catch (error) {
        return error
      }
    })()
    expect(fault).toMatchObject({ index: 5 })
    expect((fault as Error).message).toBe('"[:alpha:]" is not supported in a pattern: write a-zA-Z instead.')
  })

  it('agree with a regular expression engine on the common syntax', () => {
    const atom = fc.constantFrom(
      'a',
      'b',
      '.',
      '[ab]',
      '[^a]',
      '\\w',
      '(a|b)',
      '(?:ab)',
      'a*',
      'b+',
      '(ab)?',
      'a{1,2}',
      '(a|ab)*',
    )
    const pattern = fc.array(atom, { maxLength: 5 }).map((atoms) => atoms.join(''))
    const anchored = fc
      .tuple(fc.boolean(), pattern, fc.boolean())
      .map(([start, middle, end]) => `${start ? '^' : ''}${middle}${end ? '$' : ''}`)
    fc.assert(
      fc.property(
        anchored,
        fc.string({ unit: fc.constantFrom('a', 'b', 'c', ' '), maxLength: 8 }),
        (source, text) => {
          expect(compilePattern(source)(text)).toBe(new RegExp(source, 'u').test(text))
        },
      ),
      { numRuns: 500 },
    )
  })

  it('take linear time even if backtracking would take years', () => {
    expect(compilePattern('^(a|a|aa)+$')('a'.repeat(5_000) + 'b')).toBe(false)
  })
})
