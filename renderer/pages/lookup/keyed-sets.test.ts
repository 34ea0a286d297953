import { describe, expect, it } from 'vitest'
import type { ComponentRow, Envelope } from '../../api/wire.ts'
import { keyedSets } from './keyed-sets.ts'

/** A catalogue that has a set from the second request on. */
function catalogueOf(sets: Record<string, boolean>) {
  const requestedKeys = new Set<string>()
  return {
    requestedKeys,
    list: () => Object.keys(sets).map((key) => ({ key, label: key }) as ComponentRow),
    envelope: (_type: string, key: string) => {
      const isKnown = requestedKeys.has(key)
      requestedKeys.add(key)
      const body = sets[key] ? { cardinality: 'keyed', keyedBy: { key: 'territory', type: 'text' } } : {}
      return isKnown ? ({ body } as unknown as Envelope) : undefined
    },
  }
}
const settled = (catalogue: ReturnType<typeof catalogueOf>, requestedKey = ''): string[] => {
  for (let n = 0; n < 50; n++) keyedSets(catalogue, requestedKey)
  return keyedSets(catalogue, requestedKey).map(({ key }) => key)
}
const many = (name: string, is: boolean) =>
  Object.fromEntries(Array.from({ length: 30 }, (_, n) => [`${name}_${n}`, is]))

describe('the keyed sets', () => {
  it('are found behind any number of others, a few at a time', () => {
    const catalogue = catalogueOf({ ...many('a', false), vat_rate: true })
    expect(keyedSets(catalogue, '')).toEqual([])
    expect(catalogue.requestedKeys.size).toBe(12)
    expect(settled(catalogue)).toEqual(['vat_rate'])
  })

  it('stay the same while they are read again', () => {
    const before = [{ key: 'vat_rate', label: 'vat_rate', keyedBy: 'territory' }]
    const catalogue = catalogueOf({ vat_rate: true, a: false })
    expect(keyedSets(catalogue, '', before)).toEqual(before)
    expect(keyedSets(catalogueOf({ a: true }), '', before)).toEqual([])
    catalogue.requestedKeys.add('a')
    expect(keyedSets(catalogue, '', [{ key: 'a', label: 'a', keyedBy: 'b' }, ...before])).toEqual(before)
  })

  it('are limited in number, and include the one that is requested', () => {
    const catalogue = catalogueOf({ ...many('k', true), vat_rate: true })
    expect(settled(catalogue)).toHaveLength(12)
    expect(settled(catalogue)).not.toContain('vat_rate')
    expect(settled(catalogue, 'vat_rate').at(-1)).toBe('vat_rate')
  })
})
