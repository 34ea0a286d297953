// The same rows, held here: filtered by our evaluator and sorted by our order.
import type { ComponentView } from '#kernel/components/view.ts'
import { compareValues, compileExpression, exprValueFromField, type ExprValue } from '#kernel/expr/index.ts'
import { constants } from '../../../server/virtual/fixture.ts'
import type { VirtualObject } from '../../../server/virtual/index.ts'
import type { PeerRow } from './peer.ts'

type Order = readonly { field: string; dir: 'asc' | 'desc' }[]

export function expectedIds(
  rows: readonly PeerRow[],
  filter: string,
  orderBy: Order,
  object: VirtualObject,
  view: ComponentView,
): string[] {
  const value = (row: PeerRow, key: string): ExprValue => {
    const { field, remote } = object.fields.get(key)!
    const json = row[remote] ?? null
    return exprValueFromField(field.type, typeof json === 'number' ? String(json) : json)
  }
  const compiled = compileExpression(filter, { kind: 'list_filter', object: object.key }, view, 'boolean')
  if (!compiled.ok) throw new Error(compiled.problems[0]!.message)
  const { program } = compiled
  return rows
    .filter((row) => program.evaluate({ ...constants, field: ([key]) => value(row, key!) }) === true)
    .toSorted((a, b) => {
      for (const { field, dir } of [...orderBy, { field: 'id_text', dir: 'asc' as const }]) {
        const order = compare(value(a, field), value(b, field))
        if (order !== 0) return dir === 'asc' ? order : -order
      }
      return 0
    })
    .map(({ Id }) => Id)
}

/** Absent is the lowest. */
function compare(a: ExprValue, b: ExprValue): number {
  if (a === null || b === null) return a === b ? 0 : a === null ? -1 : 1
  return typeof a === 'boolean' ? Number(a) - Number(b) : compareValues(a, b)
}
