// What a pasted block writes, and why some of its cells are left out.
import { describe, expect, it } from 'vitest'
import type { FieldDescription, RecordJson } from '../../../api/records.ts'
import type { GridColumn } from '../grid-columns.ts'
import { pasteWrites, textsOfBlock } from './grid-paste.ts'

const columnOf = (key: string, more: Partial<FieldDescription> = {}): GridColumn => {
  const field = { key, label: key, type: 'text', references: null, computed: null, ...more }
  return { name: key, label: key, field: field as FieldDescription, along: null, sortable: true }
}
const columns = [
  columnOf('date', { type: 'date' }),
  columnOf('client', { type: 'reference', references: 'client' }),
  columnOf('duty', { computed: 'stored_formula' }),
]
const rows = ['a', 'b'].map((id): RecordJson => ({ id, object: 'task', version: 1, fields: {} }))

async function pasted(block: string[][], at = { top: 0, left: 0 }) {
  const asked: string[][] = []
  const writes = await pasteWrites(textsOfBlock(block, at), {
    ...{ columns, rows, context: { valueSet: () => undefined, scopes: [] } },
    whyFixed: (column) => (columns[column]?.field.computed == null ? null : 'Duty is a formula.'),
    async find(_, names) {
      asked.push([...names])
      return new Map(
        names.map((name) => [name, name === 'Novak' ? { id: '7', name } : { why: `No ${name}.` }]),
      )
    },
  })
  const words = writes.map((each) =>
    each.record === undefined ? each.why : [each.record.id, each.column.name, each.typed.value],
  )
  return { asked, words }
}

describe('a pasted block', () => {
  it('finds each name once, and reads days in the order of their column', async () => {
    const { asked, words } = await pasted([
      ['01/02/2026', 'Novak'],
      ['13/02/2026', 'Novak '],
    ])
    expect(asked).toEqual([['Novak']])
    expect(words).toEqual([
      ['a', 'date', '2026-02-01'],
      ['a', 'client', '7'],
      ['b', 'date', '2026-02-13'],
      ['b', 'client', '7'],
    ])
  })

  it('explains each cell that is left out', async () => {
    const { asked, words } = await pasted([['Nobody', '1', '2'], ['', '3'], ['Novak']], { top: 0, left: 1 })
    expect(asked).toEqual([['Nobody']])
    expect(words).toEqual([
      'No Nobody.',
      'Duty is a formula.',
      'The table ends at its last column.',
      ['b', 'client', null],
      'Duty is a formula.',
      'The page ends at row 2.',
    ])
  })
})
