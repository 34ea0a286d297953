// Two bindings side by side: only equal parts are marked as equal.
import { describe, expect, it } from 'vitest'
import type { Digest } from '#kernel/change/digest.ts'
import { parseCivilDate } from '#kernel/dates/civil-date.ts'
import type { Binding } from '../api/wire.ts'
import { bindingRows, bytesOf, shortDigest } from './binding-rows.ts'

const binding: Binding = {
  generation: 388,
  asOf: parseCivilDate('2025-09-02'),
  config: { vat_rate: 'jcs1:sha256:5e1fc7a0ff' as Digest },
  functions: {},
  scopePath: { app: 'storefront' },
}

describe('bindingRows', () => {
  it('marks what differs', () => {
    const now = {
      ...binding,
      generation: 412,
      config: { vat_rate: 'jcs1:sha256:a90b44d2ff' as Digest, terms: 'jcs1:sha256:00000000' as Digest },
    }
    expect(bindingRows(binding, now).map(({ name, type, same }) => [name, type, same])).toEqual([
      ['Generation', undefined, false],
      ['As of', undefined, true],
      ['terms', 'config_set', false],
      ['vat_rate', 'config_set', false],
      ['Scope', undefined, true],
    ])
  })

  it('writes dates and scopes as people read them', () => {
    const scopePath = { permission_set: ['clerks', 'tax'], locale: 'de-AT' }
    const found = Object.fromEntries(
      bindingRows({ ...binding, scopePath }, { ...binding, asOf: null }).map(({ name, vintage, now }) => [
        name,
        [vintage, now],
      ]),
    )
    expect(found).toMatchObject({
      'As of': ['2 Sep 2025', 'no date'],
      Scope: ['permission set clerks tax, locale de-AT', 'app storefront'],
    })
  })

  it('shortens a digest and writes bytes', () => {
    expect(shortDigest('jcs1:sha256:5e1fc7a0ff')).toBe('5e1f c7a0')
    expect(shortDigest(undefined)).toBe('not read')
    expect(bytesOf('"19 €"')).toEqual(['22', '31', '39', '20', 'e2', '82', 'ac', '22'])
  })
})
