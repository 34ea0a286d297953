import { expect, it } from 'vitest'
import { systemIds } from './system-ids.ts'

it('ids are UUIDv7s that increase, even within one millisecond', () => {
  const ids = Array.from({ length: 10_000 }, () => systemIds.uuid())
  expect(
    ids.every((id) => /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/.test(id)),
  ).toBe(true)
  expect([...ids].sort()).toEqual(ids)
  expect(new Set(ids).size).toBe(ids.length)
})
