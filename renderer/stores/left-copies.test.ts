// One browser, two people: what one typed is never kept as the other's.
import { expect, it } from 'vitest'
import { takeOver } from './left-copies.ts'

class Memory implements Storage {
  readonly #held = new Map<string, string>();
  [name: string]: unknown
  get length(): number {
    return this.#held.size
  }
  clear = (): void => this.#held.clear()
  getItem = (name: string): string | null => this.#held.get(name) ?? null
  key = (at: number): string | null => [...this.#held.keys()][at] ?? null
  removeItem = (name: string): void => void this.#held.delete(name)
  setItem = (name: string, value: string): void => void this.#held.set(name, value)
}

it('puts by what one person left, and gives it back', () => {
  const store = new Memory()
  const copy = 'almanac.unsaved.app/shop'
  store.setItem('almanac.theme', 'dark')
  takeOver(store, 'mara')
  store.setItem(copy, 'of mara')
  takeOver(store, 'mara')
  expect(store.getItem(copy)).toBe('of mara')
  takeOver(store, 'tom')
  expect(store.getItem(copy)).toBeNull()
  store.setItem(copy, 'of tom')
  takeOver(store, 'mara')
  expect([store.getItem(copy), store.getItem('almanac.theme')]).toEqual(['of mara', 'dark'])
  takeOver(store, 'tom')
  expect(store.getItem(copy)).toBe('of tom')
})
