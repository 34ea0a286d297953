// Rows of a materialised set.
import type { FieldValue } from '../components/field-types.ts'
import { scopeName, type Scope } from '../components/scopes.ts'

/** One entry, indexed for lookup. Undated rows span every day. */
export interface SliceRow {
  /** Key of the entry; for a flag's default, the flag's key. */
  entry: string
  scope: Scope
  /** First day that is included, as a day number; `-Infinity` if undated. */
  from: number
  /** First day that no longer applies; `Infinity` if open-ended. */
  to: number
  priority: number
  values: Readonly<Record<string, FieldValue>>
}

/** Rows of one business key: a sorted lane for each scope. */
export interface KeyRows {
  /** The first org day, for `config.not_effective`. */
  firstDay: number
  org: SliceRow[] | null
  environment: Map<string, SliceRow[]> | null
  app: Map<string, SliceRow[]> | null
  /** Viewer-dependent lanes are separate; they resolve per (generation, user). */
  locale: Map<string, SliceRow[]> | null
  permission_set: Map<string, SliceRow[]> | null
  user: Map<string, SliceRow[]> | null
}

export function emptyRows(): KeyRows {
  return {
    firstDay: Infinity,
    org: null,
    environment: null,
    app: null,
    locale: null,
    permission_set: null,
    user: null,
  }
}

/** Inserts a row in the lane of its scope. */
export function insertRow(rows: KeyRows, row: SliceRow): void {
  const { kind } = row.scope
  if (kind === 'org') {
    if (row.from < rows.firstDay) rows.firstDay = row.from
    rows.org = withRow(rows.org ?? [], row)
    return
  }
  const lanes = (rows[kind] ??= new Map<string, SliceRow[]>())
  const name = scopeName(row.scope)
  lanes.set(name, withRow(lanes.get(name) ?? [], row))
}

/** Keeps a lane in chronological order; nearly always appends. */
function withRow(lane: SliceRow[], row: SliceRow): SliceRow[] {
  let at = lane.length
  while (at > 0 && lane[at - 1]!.from > row.from) at -= 1
  lane.splice(at, 0, row)
  return lane
}

/** Yields every row of a key, in no particular order. */
export function* rowsOfKey(rows: KeyRows): Iterable<SliceRow> {
  for (const lane of lanesOfKey(rows)) yield* lane
}

/** Yields the rows of each scope of a key, in chronological order. */
export function* lanesOfKey(rows: KeyRows): Iterable<readonly SliceRow[]> {
  if (rows.org !== null) yield rows.org
  for (const kind of ['environment', 'app', 'locale', 'permission_set', 'user'] as const)
    yield* rows[kind]?.values() ?? []
}
