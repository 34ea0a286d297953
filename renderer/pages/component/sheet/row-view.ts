// A row of a sheet as rendered: its texts, edits and faults, with a short note.
import type { Finding } from '../../../api/wire.ts'
import { cellFault } from './cell-fault.ts'
import { formatCell, type CellContext } from './cell-text.ts'
import { placeOf, type CellValue, type SheetColumn } from './columns.ts'
import { pastWords, type PastRange } from './past-days.ts'
import type { RowEdit } from './row-edit.ts'
import type { Sheet } from './sheet.ts'
import type { RowId } from './sheet-rows.ts'

export interface CellView {
  text: string
  /** The label of its value, shown next to it. */
  name: string
  edited: boolean
  /** Why it is wrong; empty if it is not. */
  fault: string
  /** Whether the text marks an absence instead of a value. */
  dim: boolean
}

export interface RowView {
  cells: CellView[]
  glyph: 'error' | 'warning' | 'info' | 'past' | RowEdit['kind'] | null
  tone: string
  note: string
  noteTone: string
  /** All messages about the row. */
  words: string
}

export interface RowViewDeps {
  sheet: Sheet
  columns: readonly SheetColumn[]
  context: CellContext
  findings: ReadonlyMap<string, readonly Finding[]>
  /**
   * Rows that are not saved, with the reason: another user drafted them in the meantime, or the server refuses them.
   */
  unsavedReason: (name: string) => string | null
  /** Days before today that the row's draft changes. */
  past: (row: RowId) => readonly PastRange[]
  label: (column: SheetColumn, value: CellValue) => string
}

export function createRowView(deps: RowViewDeps, row: RowId): RowView {
  const { sheet, columns, findings, unsavedReason } = deps
  const edit = sheet.editOf(row)
  const said = findings.get(sheet.slugOf(row)) ?? []
  const cells = columns.map((column) => cellSight(deps, row, column, edit, said))
  const refused = unsavedReason(sheet.nameOf(row))
  const worst =
    refused !== null || edit?.kind === 'unread' || cells.some(({ fault }) => fault !== '')
      ? 'error'
      : worstOf(said)
  const past = edit === undefined ? [] : deps.past(row)
  const words = [
    ...(refused === null ? [] : [refused]),
    ...said.map(({ message }) => message),
    ...cells.flatMap(({ fault }) =>
      fault === '' || said.some(({ message }) => message === fault) ? [] : [fault],
    ),
    ...(past.length === 0 ? [] : [`Changes ${pastWords(past)}.`]),
  ]
  return {
    cells,
    glyph: worst ?? (past.length > 0 ? 'past' : edit?.kind === 'unread' ? 'error' : (edit?.kind ?? null)),
    tone: [edit === undefined ? '' : 'dirty', edit?.kind ?? '', worst === 'error' ? 'faulty' : '']
      .filter(Boolean)
      .join(' '),
    note: noteOf(deps, row, edit, words, worst, said),
    noteTone: worst === 'error' ? 'err' : worst === 'warning' || past.length > 0 ? 'warn' : '',
    words: words.join('\n'),
  }
}

function cellSight(
  { sheet, columns: _columns, context, label }: RowViewDeps,
  row: RowId,
  column: SheetColumn,
  edit: RowEdit | undefined,
  said: readonly Finding[],
): CellView {
  const place = placeOf(column)
  const value = sheet.value(row, place)
  const text = formatCell(column, value)
  const found = said.find(({ path, severity }) => severity !== 'info' && path === `/${place}`)
  const typed = edit?.kind === 'changed' || edit?.kind === 'added' ? cellFault(column, value, context) : null
  // A new row reports missing values only once it has a value and the server has checked it.
  const missing = value == null && edit?.kind === 'added' && found === undefined
  return {
    text,
    name: label(column, value),
    edited: sheet.isEdited(row, place),
    fault: found?.message ?? (missing ? '' : (typed ?? '')),
    dim: text === 'open' || value == null,
  }
}

function worstOf(said: readonly Finding[]): Finding['severity'] | null {
  const rank = ['error', 'warning', 'info'] as const
  return rank.find((severity) => said.some((finding) => finding.severity === severity)) ?? null
}

/** The most common findings in a word or two; the cell shows the whole message. */
const notes: Readonly<Record<string, string>> = {
  'config.range_gap': 'gap follows',
  'config.range_overlap': 'overlaps',
  'config.range_end': 'no row follows',
  'config.range_empty': 'no days',
  'config.value_required': 'value missing',
  'config.value_type': 'wrong type',
  'config.value_scale': 'too many digits',
  'config.value_precision': 'too large',
  'config.value_enum': 'unknown value',
  'config.key_missing': 'key missing',
  'config.key_type': 'wrong key',
  'config.org_missing': 'no org row',
  'config.duplicate_entry': 'twice',
  'config.scope_not_declared': 'scope not in chain',
  'config.priority_missing': 'no priority',
  'draft.overtaken': 'overtaken',
}

function noteOf(
  { sheet, columns }: RowViewDeps,
  row: RowId,
  edit: RowEdit | undefined,
  words: readonly string[],
  worst: string | null,
  said: readonly Finding[],
): string {
  if (edit?.kind === 'unread') return 'not valid JSON'
  if (worst === 'error' && words.length > 1) return `${words.length} findings`
  if (worst === 'error' && words.length === 1) return notes[said[0]?.code ?? ''] ?? 'has an error'
  switch (edit?.kind) {
    case undefined:
      return worst === null ? '' : 'noted'
    case 'added':
      return 'new'
    case 'removed':
      return 'to be removed'
    case 'changed': {
      const places = Object.keys(edit.cells)
      const [place] = places
      if (place === undefined) return 'drafted'
      const column = columns.find((each) => placeOf(each) === place)
      if (places.length > 1 || column === undefined)
        return places.length > 1 ? `${places.length} edited` : 'edited'
      const before = sheet.activeOf(row)?.(place)
      return `was ${formatCell(column, before) || 'empty'}`
    }
  }
}
