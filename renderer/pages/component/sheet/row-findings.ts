// The findings of a row: what the server reports, and what is known only here because the server has not reported it.
// Every count of findings uses this function, so that all places agree.
import type { Finding } from '../../../api/wire.ts'
import { cellFault } from './cell-fault.ts'
import type { CellContext } from './cell-text.ts'
import { placeOf, type SheetColumn } from './columns.ts'
import { idOf } from './row-edit.ts'
import type { Sheet } from './sheet.ts'
import type { RowId } from './sheet-rows.ts'

/** Why an edit of a row is not saved: another user drafted the row, or the server refused the edit. */
export interface UnsavedReason {
  code: 'sheet.conflict' | 'sheet.refused'
  message: string
}

export interface RowFindingDeps {
  sheet: Sheet
  columns: readonly SheetColumn[]
  context: CellContext
  /** The findings of the server, by the slug of the row. */
  reported: ReadonlyMap<string, readonly Finding[]>
  /** Gaps, overlaps and ends between the rows as edited, by the slug of the row. */
  rangeFindings: ReadonlyMap<string, readonly Finding[]>
  /** Null if the row has no such reason; rows are named as in the sheet. */
  unsavedReason: (name: string) => UnsavedReason | null
}

/** Codes of findings about something that is missing, whose path is that of the whole body. */
const missingPlaces: Readonly<Record<string, string>> = {
  'config.key_missing': 'body/key',
  'config.dates_required': 'body/effectiveFrom',
  'config.priority_missing': 'body/priority',
}

/** Whether a finding is about the value of a cell. */
export function isOfCell({ code, path }: Finding, place: string): boolean {
  return missingPlaces[code] === place || path === `/${place}` || path.startsWith(`/${place}/`)
}

export function findingsOfRow(deps: RowFindingDeps, row: RowId): Finding[] {
  const reported = deps.reported.get(deps.sheet.slugOf(row)) ?? []
  return [...reported, ...unreportedFindings(deps, row)]
}

/** The findings of a row that are known only here. */
export function unreportedFindings(deps: RowFindingDeps, row: RowId): Finding[] {
  const { sheet, reported, unsavedReason } = deps
  const slug = sheet.slugOf(row)
  const serverFindings = reported.get(slug) ?? []
  const unsaved = unsavedReason(sheet.nameOf(row))
  const local = (code: string, path: string, message: string): Finding => ({
    ...{ severity: 'error', code, component: idOf(sheet.set, slug), path, message, related: [] },
  })
  return [
    ...(unsaved === null ? [] : [local(unsaved.code, '', unsaved.message)]),
    ...(sheet.editOf(row)?.kind === 'unread' && !serverFindings.some(({ severity }) => severity === 'error')
      ? [local('draft.json', '', 'The draft of this row is not valid JSON. Open the entry to correct it.')]
      : []),
    ...cellFaults(deps, row, serverFindings).map(({ place, message }) =>
      local('sheet.cell', `/${place}`, message),
    ),
    ...(deps.rangeFindings.get(slug) ?? []).filter(
      (finding) => !serverFindings.some((each) => isSame(each, finding)),
    ),
  ]
}

function cellFaults(
  { sheet, columns, context }: RowFindingDeps,
  row: RowId,
  serverFindings: readonly Finding[],
): { place: string; message: string }[] {
  const kind = sheet.editOf(row)?.kind
  if (kind !== 'changed' && kind !== 'added') return []
  return columns.flatMap((column) => {
    const place = placeOf(column)
    const value = sheet.value(row, place)
    // A new row reports missing values only once it has a value and the server has checked it.
    if (value == null && kind === 'added') return []
    if (serverFindings.some((finding) => finding.severity !== 'info' && isOfCell(finding, place))) return []
    const message = cellFault(column, value, context)
    return message === null ? [] : [{ place, message }]
  })
}

/** Whether two findings report the same days of the same rows. */
function isSame(a: Finding, b: Finding): boolean {
  const day = ({ facts }: Finding): unknown => facts?.from ?? facts?.endsOn
  return a.code === b.code && a.component === b.component && day(a) === day(b)
}
