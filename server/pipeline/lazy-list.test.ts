import { expect, it } from 'vitest'
import { concatLists, lazyMap } from './lazy-list.ts'

it('a lazy list creates an item each time it is read', () => {
  const createdItems: number[] = []
  const rows = lazyMap([1, 2, 3], (item) => {
    createdItems.push(item)
    return { item }
  })
  expect([rows.length, createdItems]).toEqual([3, []])
  const walk = rows[Symbol.iterator]()
  walk.next()
  expect(createdItems).toEqual([1])
  expect([...rows].map(({ item }) => item)).toEqual([1, 2, 3])
  expect(createdItems).toEqual([1, 1, 2, 3])
})

it('joining lazy lists does not make their items', () => {
  const never = lazyMap([1], () => {
    throw new Error('made')
  })
  const both = concatLists<number>(
    lazyMap([1, 2], (item) => item),
    never,
  )
  expect(both.length).toBe(3)
  const walk = both[Symbol.iterator]()
  expect([walk.next().value, walk.next().value]).toEqual([1, 2])
  expect(() => walk.next()).toThrow('made')
})
