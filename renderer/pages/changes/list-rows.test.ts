// Rows contain every change once, and the keys reach each of them.
import { describe, expect, it } from 'vitest'
import type { ComponentId } from '../../api/wire.ts'
import { groupsOf } from './groups.ts'
import { idsBetween, idsOf, moveOf, rowsOf } from './list-rows.ts'

const ids: ComponentId[] = ['config_entry/vat.a', 'config_entry/vat.b', 'object/invoice', 'object/order']
const rows = rowsOf(
  groupsOf(
    ids.map((id) => ({ id, kind: 'added' as const })),
    (type) => type,
  ),
)
const key = (name: string, held: object = {}) => ({
  ...{ key: name, shiftKey: false, ctrlKey: false, metaKey: false, altKey: false },
  ...held,
})
const ground = { count: rows.length, page: 3 }

describe('rowsOf', () => {
  it('puts each group before its changes', () => {
    expect(rows.map(({ id }) => id)).toEqual(['entries vat', ids[0], ids[1], 'object', ids[2], ids[3]])
  })

  it('selects a change, a whole group, or everything between two rows', () => {
    expect(idsOf(rows[1])).toEqual([ids[0]])
    expect(idsOf(rows[3])).toEqual([ids[2], ids[3]])
    expect(idsBetween(rows, 4, 1)).toEqual([ids[0], ids[1], ids[2]])
  })
})

describe('moveOf', () => {
  it('stays within the list', () => {
    expect(moveOf(key('ArrowUp'), 0, ground)).toEqual({ kind: 'go', to: 0, extend: false })
    expect(moveOf(key('PageDown'), 4, ground)).toEqual({ kind: 'go', to: 5, extend: false })
    expect(moveOf(key('End', { shiftKey: true }), 1, ground)).toEqual({ kind: 'go', to: 5, extend: true })
  })

  it('leaves the space bar to the box, and ignores other keys', () => {
    expect(moveOf(key(' '), 1, ground)).toBeNull()
    expect(moveOf(key(' ', { shiftKey: true }), 1, ground)).toEqual({ kind: 'range' })
    expect(moveOf(key('a', { ctrlKey: true, shiftKey: true }), 1, ground)).toEqual({ kind: 'all', on: false })
    expect(moveOf(key('ArrowDown', { altKey: true }), 1, ground)).toBeNull()
    expect(moveOf(key('x'), 1, ground)).toBeNull()
  })
})
