import { expect, it } from 'vitest'
import { cachedReads } from './cached-reads.ts'

it('reads a value once until anything is written, and never one of before a write', () => {
  let position = 1
  let reads = 0
  const value = cachedReads<string>({
    read: (work) => work({} as never),
    position: () => position,
  })
  const read = (name: string): string => value(name, () => `${name} ${position} ${(reads += 1)}`)
  expect([read('a'), read('a'), read('b'), read('a')]).toEqual(['a 1 1', 'a 1 1', 'b 1 2', 'a 1 1'])
  position = 2
  expect([read('a'), read('b')]).toEqual(['a 2 3', 'b 2 4'])
})

it('keeps no failure', () => {
  const value = cachedReads<string>({ read: (work) => work({} as never), position: () => 1 })
  const failing = (): string => {
    throw new Error('It does not exist.')
  }
  expect(() => value('a', failing)).toThrow('It does not exist.')
  expect(value('a', () => 'found')).toBe('found')
})
