import { expect, it } from 'vitest'
import { madeRows } from './made-rows.ts'

it('makes ten thousand rows that are all different, and the same ones again', () => {
  const rows = madeRows(10_000)
  expect(new Set(rows.map(({ id }) => id)).size).toBe(10_000)
  expect(new Set(rows.map(({ name }) => name)).size).toBe(10_000)
  expect(madeRows(10_000)[9_999]).toEqual(rows[9_999])
})
