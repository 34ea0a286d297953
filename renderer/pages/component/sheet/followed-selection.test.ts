import { describe, expect, it } from 'vitest'
import { trackSelection } from './followed-selection.ts'
import { only } from './selection.ts'
import type { RowId } from './sheet-rows.ts'

const rows = (...ids: number[]): RowId[] => ids as unknown as RowId[]

describe('the selection when rows are added or removed', () => {
  it('stays on its row', () => {
    const found = trackSelection(only({ row: 1, column: 2 }), rows(1, 2, 3), rows(9, 1, 2, 3))
    expect(found.active).toEqual({ row: 2, column: 2 })
  })

  it('goes to the last row if its own was removed and fewer are left, not to the place for a new row', () => {
    const found = trackSelection(only({ row: 2, column: 1 }), rows(1, 2, 3, 4), rows(4))
    expect(found.active).toEqual({ row: 0, column: 1 })
  })

  it('keeps its position if its row was removed and another row is there', () => {
    const found = trackSelection(only({ row: 1, column: 1 }), rows(1, 2, 3), rows(1, 3))
    expect(found.active).toEqual({ row: 1, column: 1 })
  })

  it('stays at the place for a new row', () => {
    const found = trackSelection(only({ row: 3, column: 0 }), rows(1, 2, 3), rows(1))
    expect(found.active).toEqual({ row: 1, column: 0 })
  })
})
