// One browser, two users: what one typed is never stored as the other's.
import { expect, it } from 'vitest'
import { copiesOwned, copyPlace, ownCopies } from './left-copies.ts'

it('gives each user their own copy, also when they come back', async () => {
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

it('separates users whose keys and names could be confused', () => {
  ownCopies('a/b')
  const one = copyPlace('c')
  ownCopies('a')
  expect(copyPlace('b/c')).not.toBe(one)
})
