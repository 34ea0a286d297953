import { describe, expect, it } from 'vitest'
import { excerpts, truncateText } from './excerpt.ts'

const long =
  'The standard rate applies to all supplies that are made in the territory unless a lower rate is named'

describe('two long texts', () => {
  it('are truncated around the difference', () => {
    const before = `${long}, within 30 days of the supply, and ${long}.`
    const after = `${long}, within 60 days of the supply, and ${long}.`
    const result = excerpts(before, after)
    expect(result.before).toContain('within 30 days')
    expect(result.after).toContain('within 60 days')
    expect(result.before.length).toBeLessThan(90)
    expect([result.before.startsWith('…'), result.before.endsWith('…')]).toEqual([true, true])
  })

  it.each([
    ['at the beginning', `A. ${long}`, `B. ${long}`, /^A\./, /^B\./],
    ['at the end', `${long} 2026`, `${long} 2027`, /2026$/, /2027$/],
    ['by an addition', long, `${long} here`, /named$/, /here$/],
  ])('show a difference %s', (_, before, after, one, other) => {
    const shown = excerpts(before, after)
    expect(shown.before).toMatch(one)
    expect(shown.after).toMatch(other)
  })

  it('that have nothing in common start at their beginnings', () => {
    const shown = excerpts('x'.repeat(500), 'y'.repeat(500))
    expect([shown.before.slice(0, 3), shown.after.slice(0, 3)]).toEqual(['xxx', 'yyy'])
    expect(shown.before.length).toBeLessThanOrEqual(161)
  })

  it('stay complete if both are short, and never end in half a character', () => {
    expect(excerpts('0.1900', '0.2100')).toEqual({ before: '0.1900', after: '0.2100' })
    expect(truncateText(`${'a'.repeat(78)}😀😀`)).toBe(`${'a'.repeat(78)}…`)
  })
})
