// Rows that are not kept yet, as a text: a cell that was emptied is told from one that was not touched.
import type { CellValue } from './columns.ts'
import type { RowEdit } from './row-edit.ts'
import type { LeftRow } from './sheet.ts'

/** A row without its cells, and these as pairs; a place alone was emptied. */
type Flat = [edit: unknown, cells: (readonly [string] | readonly [string, CellValue])[]]

export function leftText(rows: readonly LeftRow[]): string {
  return JSON.stringify(
    rows.map(({ edit, kept, sent, ...row }) => ({
      ...row,
      edit: flat(edit),
      ...(kept && { kept: { ...kept, edit: flat(kept.edit ?? null) } }),
      ...(sent && { sent: sent.map(flat) }),
    })),
  )
}

/** @throws SyntaxError */
export function leftRows(text: string): LeftRow[] {
  const rows = JSON.parse(text) as (Omit<LeftRow, 'edit' | 'kept' | 'sent'> & {
    edit: Flat | null
    kept?: { slug: string; version: number; edit: Flat | null }
    sent?: (Flat | null)[]
  })[]
  return rows.map(({ edit, kept, sent, ...row }) => ({
    ...row,
    edit: whole(edit),
    ...(kept && { kept: { ...kept, edit: whole(kept.edit) ?? undefined } }),
    ...(sent && { sent: sent.map(whole) }),
  }))
}

function flat(edit: RowEdit | null): Flat | null {
  if (edit === null || !('cells' in edit)) return edit === null ? null : [edit, []]
  const { cells, ...rest } = edit
  return [
    rest,
    Object.entries(cells).map(([place, value]) => (value === undefined ? [place] : [place, value])),
  ]
}

function whole(held: Flat | null): RowEdit | null {
  if (held === null) return null
  const [edit, cells] = held as [RowEdit, Flat[1]]
  const isOfCells = edit.kind === 'changed' || edit.kind === 'added'
  return isOfCells
    ? { ...edit, cells: Object.fromEntries(cells.map(([place, value]) => [place, value])) }
    : edit
}
