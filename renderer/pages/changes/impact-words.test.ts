// The sentences describe what was found, and whether only a part was checked.
import { describe, expect, it } from 'vitest'
import type { Impact } from '../../api/wire.ts'
import { flipWho, impactSentence } from './impact-words.ts'

const nothing = {
  readers: { byType: [], total: 0 },
  keys: { from: 0, looked: 1, total: 1 },
  resolution: { items: [], total: 0 },
  flips: { items: [], total: 0 },
  results: { changed: [], looked: 0, total: 0, reading: 0, next: null },
} as unknown as Impact

describe('impactSentence', () => {
  it('states that nothing else changes', () => {
    expect(impactSentence(nothing)).toBe(
      'Nothing reads the changed components. No configuration value changes on any day. No flag flips.',
    )
  })

  it('counts readers, answers, flips and stored results', () => {
    const sentence = impactSentence({
      ...nothing,
      readers: {
        byType: [
          { title: 'object', direct: 2, further: 1 },
          { title: 'automation', direct: 1, further: 0 },
        ],
        total: 4,
      },
      keys: { from: 0, looked: 20_000, total: 30_000 },
      resolution: { items: [], total: 2 },
      flips: { items: [{ flag: true }, { flag: false }], total: 2 },
      results: { changed: [{}], looked: 5, total: 5 },
    } as unknown as Impact)
    expect(sentence).toContain('Read by 3 objects and 1 automation.')
    expect(sentence).toContain('2 resolved values of the first 20,000 keys would change.')
    expect(sentence).toContain('1 flag flip.')
    expect(sentence).toContain('1 of 5 stored results would change if recomputed.')
  })
})

describe('the sentence on stored results', () => {
  const sentenceOf = (changed: number, looked: number, total: number): string =>
    impactSentence({
      ...nothing,
      results: { changed: Array.from({ length: changed }), looked, total },
    } as unknown as Impact).replace(/^.*No flag flips\. ?/, '')

  it.each([
    [0, 0, 0, ''],
    [0, 1, 1, 'The stored result would not change if recomputed.'],
    [0, 2, 2, 'None of 2 stored results would change if recomputed.'],
    [0, 5000, 12_000, 'None of the first 5,000 of 12,000 stored results would change if recomputed.'],
    [1, 1, 1, expect.stringMatching(/^The stored result would change if recomputed\. An apply/)],
    [2, 5, 5, expect.stringMatching(/^2 of 5 stored results would change if recomputed\. An apply/)],
  ])('for %i changed, %i checked and %i in all', (changed, looked, total, sentence) => {
    expect(sentenceOf(changed, looked, total)).toEqual(sentence)
  })
})

describe('flipWho', () => {
  it('names some users, and counts all', () => {
    const who = { items: ['a', 'b', 'c', 'd'], total: 60 }
    expect(flipWho({ kind: 'user', who, hidden: false })).toBe('for user a, b, c and 57 more')
    expect(flipWho({ kind: 'user', who: { items: [], total: 2 }, hidden: true })).toBe('for 2 users')
    expect(flipWho({ kind: 'everyone', who: { items: [''], total: 1 }, hidden: false })).toBe(
      'for everyone else',
    )
  })
})
