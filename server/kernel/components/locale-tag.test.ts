import { describe, expect, it } from 'vitest'
import { canonicalLocale, explainLocale } from './locale-tag.ts'

describe('customaryLocale', () => {
  it.each([
    ['DE-at', 'de-AT'],
    ['EN', 'en'],
    ['ZH-hANT-tw', 'zh-Hant-TW'],
    ['es-419', 'es-419'],
    ['de-1996', 'de-1996'],
    ['DE-DE-U-CO-PHONEBK', 'de-DE-u-co-phonebk'],
  ])('writes %s as %s', (given, locale) => {
    expect(canonicalLocale(given)).toBe(locale)
    expect(canonicalLocale(locale)).toBe(locale)
  })

  it.each([
    'xx_bad',
    '*',
    '',
    'd',
    'deutsch',
    'de-',
    'de--AT',
    'de-x',
    'de AT',
    `de${'-abcdefgh'.repeat(20)}`,
  ])('refuses %j', (text) => expect(canonicalLocale(text)).toBeNull())

  it('explains what a tag is', () =>
    expect(explainLocale('xx_bad')).toMatch(/^"xx_bad" is not a language tag\..*"de-AT"/))
})
