import { expect, it } from 'vitest'
import { neighbourOf } from './neighbour.ts'

const among =
  (...ids: string[]) =>
  (id: string): boolean =>
    ids.includes(id)

it('the position moves to the next row, or else to the previous one, and nowhere else', () => {
  const before = ['a', 'b', 'c', 'd']
  expect(neighbourOf(before, 'b', among('a', 'c', 'd'))).toBe('c')
  expect(neighbourOf(before, 'b', among('a', 'd'))).toBe('d')
  expect(neighbourOf(before, 'd', among('a', 'b'))).toBe('b')
  expect(neighbourOf(before, 'a', among())).toBeNull()
  expect(neighbourOf(before, 'x', among('a'))).toBeNull()
})
