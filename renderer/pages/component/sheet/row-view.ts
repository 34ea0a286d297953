// A row of a sheet as rendered: its texts, edits and faults, with a short note.
import type { Finding } from '../../../api/wire.ts'
import { formatCell } from './cell-text.ts'
import { placeOf, type CellValue, type SheetColumn } from './columns.ts'
import { pastWords, type PastRange } from './past-days.ts'
import type { RowEdit } from './row-edit.ts'
import { isOfCell } from './row-findings.ts'
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
  findings: (row: RowId) => readonly Finding[]
  /** Days before today that the row's draft changes. */
  past: (row: RowId) => readonly PastRange[]
  label: (column: SheetColumn, value: CellValue) => string
}

export function createRowView(deps: RowViewDeps, row: RowId): RowView {
  const { sheet, columns } = deps
  const edit = sheet.editOf(row)
  const findings = deps.findings(row)
  const cells = columns.map((column) => cellView(deps, row, column, findings))
  const worst = worstOf(findings)
  const past = edit === undefined ? [] : deps.past(row)
  const words = [
    ...findings.map(({ message }) => message),
    ...(past.length === 0 ? [] : [`Changes ${pastWords(past)}.`]),
  ]
  return {
    cells,
    glyph: worst ?? (past.length > 0 ? 'past' : (edit?.kind ?? null)),
    tone: [edit === undefined ? '' : 'dirty', edit?.kind ?? '', worst === 'error' ? 'faulty' : '']
      .filter(Boolean)
      .join(' '),
    note: noteOf(deps, row, edit, findings, worst),
    noteTone: worst === 'error' ? 'err' : worst === 'warning' || past.length > 0 ? 'warn' : '',
    words: words.join('\n'),
  }
}

function cellView(
  { sheet, label }: RowViewDeps,
  row: RowId,
  column: SheetColumn,
  findings: readonly Finding[],
): CellView {
  const place = placeOf(column)
  const value = sheet.value(row, place)
  const text = formatCell(column, value)
  const cellFinding = findings.find((finding) => finding.severity !== 'info' && isOfCell(finding, place))
  return {
    text,
    name: label(column, value),
    edited: sheet.isEdited(row, place),
    fault: cellFinding?.message ?? '',
    dim: text === 'open' || value == null,
  }
}

function worstOf(findings: readonly Finding[]): Finding['severity'] | null {
  const rank = ['error', 'warning', 'info'] as const
  return rank.find((severity) => findings.some((finding) => finding.severity === severity)) ?? null
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
  'sheet.conflict': 'overtaken',
  'sheet.refused': 'not saved',
  'sheet.cell': 'not valid',
}

function noteOf(
  { sheet, columns }: RowViewDeps,
  row: RowId,
  edit: RowEdit | undefined,
  findings: readonly Finding[],
  worst: string | null,
): string {
  if (edit?.kind === 'unread') return 'not valid JSON'
  if (worst === 'error' && findings.length > 1) return `${findings.length} findings`
  if (worst === 'error') return notes[findings[0]!.code] ?? '1 finding'
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
