// One browser, two people: what one typed is never kept as the other's.
import { expect, it } from 'vitest'
import { copiesOwned, copyPlace, ownCopies } from './left-copies.ts'

it('gives each their own copy, and again when they come back', async () => {
  const store = new Map<string, string>()
  const copy = 'app/shop'
  ownCopies('mara')
  await copiesOwned()
  store.set(copyPlace(copy), 'of mara')
  ownCopies('mara')
  expect(store.get(copyPlace(copy))).toBe('of mara')
  ownCopies('tom')
  expect(store.get(copyPlace(copy))).toBeUndefined()
  store.set(copyPlace(copy), 'of tom')
  ownCopies('mara')
  expect(store.get(copyPlace(copy))).toBe('of mara')
  ownCopies('tom')
  expect(store.get(copyPlace(copy))).toBe('of tom')
})

it('keeps people apart whose keys and things read alike', () => {
  ownCopies('a/b')
  const one = copyPlace('c')
  ownCopies('a')
  expect(copyPlace('b/c')).not.toBe(one)
})
