// Rows of a sheet as lanes of a timeline: one lane per key and scope, in the order of the scope chain.
import { scopeKinds, scopeName, scopeText, type Scope } from '#kernel/components/scopes.ts'
import type { Range, RangeRow } from '#kernel/config/range.ts'
import { dayOf, parseCivilDate } from '#kernel/dates/civil-date.ts'
import { isObject } from '../../../widgets/widget.ts'
import type { CellValue } from '../sheet/columns.ts'
import type { RowEdit } from '../sheet/row-edit.ts'
import type { Sheet } from '../sheet/sheet.ts'
import type { RowId } from '../sheet/sheet-rows.ts'

export interface LaneRow {
  id: RowId
  range: Range
  edit: RowEdit['kind'] | null
}

export interface Lane {
  /** Unique for each lane. */
  name: string
  key: string | null
  scope: Scope
  /** Rows that apply, in chronological order; a row with a drafted removal does not apply. */
  rows: LaneRow[]
  /** Rows with a drafted removal. */
  removed: LaneRow[]
}

/**
 * Returns the lanes of some keys. Rows whose scope or days cannot be read are omitted; the sheet shows and marks them.
 */
export function lanesOf(sheet: Sheet, keys: readonly (string | null)[]): Lane[] {
  return keys.flatMap((key) => {
    const lanes = new Map<string, Lane>()
    for (const id of sheet.rowsOfKey(key)) {
      const read: CellReader = (place) => sheet.value(id, place)
      const [scope, range] = [scopeOf(read), rangeOf(read)]
      if (scope === null || range === null) continue
      const name = `${key ?? ''} ${scopeText(scope)}`
      let lane = lanes.get(name)
      if (lane === undefined) lanes.set(name, (lane = { name, key, scope, rows: [], removed: [] }))
      const edit = sheet.editOf(id)?.kind ?? null
      ;(edit === 'removed' ? lane.removed : lane.rows).push({ id, range, edit })
    }
    return [...lanes.values()].sort(byChain).map(inTime)
  })
}

/** The rows of a lane for the range algebra. */
export function algebraOf({ rows }: Pick<Lane, 'rows'>): RangeRow<RowId>[] {
  return rows.map(({ id, range }) => ({ range, value: id }))
}

function inTime(lane: Lane): Lane {
  const sorted = (rows: LaneRow[]): LaneRow[] => rows.sort((a, b) => a.range.from - b.range.from)
  return { ...lane, rows: sorted(lane.rows), removed: sorted(lane.removed) }
}

function byChain(a: Lane, b: Lane): number {
  const byKind = scopeKinds.indexOf(a.scope.kind) - scopeKinds.indexOf(b.scope.kind)
  return byKind || (scopeName(a.scope) < scopeName(b.scope) ? -1 : 1)
}

/** Reads the cells of one row. */
export type CellReader = (place: string) => CellValue

export function scopeOf(read: CellReader): Scope | null {
  const scope = read('body/scope')
  const kind = isObject(scope) ? (scope.kind as Scope['kind']) : null
  return kind !== null && scopeKinds.includes(kind) && scopeName(scope as unknown as Scope) !== undefined
    ? (scope as unknown as Scope)
    : null
}

/** The days on which a row applies; null if they cannot be read or the range is empty. */
export function rangeOf(read: CellReader): Range | null {
  const [first, end] = [read('body/effectiveFrom'), read('body/effectiveTo') ?? null]
  const from = typeof first === 'string' ? parseCivilDate(first) : null
  const to = typeof end === 'string' ? parseCivilDate(end) : null
  if (from === null || (end !== null && to === null) || (to !== null && to <= from)) return null
  return { from: dayOf(from), to: to === null ? null : dayOf(to) }
}
