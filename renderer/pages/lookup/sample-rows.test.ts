import { expect, it } from 'vitest'
import { createSampleRows } from './sample-rows.ts'

it('ten thousand rows all differ, and are the same each time', () => {
  const rows = createSampleRows(10_000)
  expect(new Set(rows.map(({ id }) => id)).size).toBe(10_000)
  expect(new Set(rows.map(({ name }) => name)).size).toBe(10_000)
  expect(createSampleRows(10_000)[9_999]).toEqual(rows[9_999])
})
