// Unsaved rows as text: distinguishes a cell that was emptied from one that was not touched.
import type { CellValue } from './columns.ts'
import type { RowEdit } from './row-edit.ts'
import type { UnsavedRow } from './row-sync-state.ts'
import type { OwnRow } from './own-edits.ts'

/** An edit with its cells as pairs; a place without a value was emptied, which a JSON object could not express. */
type Flat = Exclude<RowEdit, { cells: object }> | { cells: ([string] | [string, CellValue])[] }

export function serializeUnsavedRows(rows: readonly UnsavedRow[]): string {
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
export function parseUnsavedRows(text: string): UnsavedRow[] {
  const rows = JSON.parse(text) as (Omit<UnsavedRow, 'edit' | 'kept' | 'sent'> & {
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

export function serializeOwnRows(rows: readonly OwnRow[]): string {
  return JSON.stringify(rows.map(({ slug, cells }) => ({ slug, edit: flat({ kind: 'changed', cells }) })))
}

/** Returns no rows if the text is missing or cannot be read. */
export function parseOwnRows(text: string | null): OwnRow[] {
  try {
    const rows = JSON.parse(text ?? '[]') as { slug: string; edit: Flat }[]
    return rows.flatMap(({ slug, edit }) => {
      const read = whole(edit)
      return read?.kind === 'changed' ? [{ slug, cells: read.cells }] : []
    })
  } catch {
    return []
  }
}

function flat(edit: RowEdit | null): Flat | null {
  if (edit === null || !('cells' in edit)) return edit
  const pairs = Object.entries(edit.cells).map(([place, value]): [string] | [string, CellValue] =>
    value === undefined ? [place] : [place, value],
  )
  return { ...edit, cells: pairs }
}

function whole(held: Flat | null): RowEdit | null {
  if (held === null || !('cells' in held)) return held
  return { ...held, cells: Object.fromEntries(held.cells) } as RowEdit
}
