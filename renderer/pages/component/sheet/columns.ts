// The columns of a sheet of entries: the fields that a set declares, and the place of each value in the text of an
// entry.
import type { JsonValue } from '../../../api/wire.ts'
import type { EntrySet } from '../../../widgets/entry-set.ts'

export type CellType =
  'text' | 'number' | 'date' | 'boolean' | 'enum' | 'credential_reference' | 'scope' | 'rank'

/** The value of a cell as in the entry's text; undefined if it has none. */
export type CellValue = JsonValue | undefined

export interface SheetColumn {
  id: string
  title: string
  kind: 'key' | 'field' | 'scope' | 'from' | 'last' | 'priority' | 'label' | 'entry'
  type: CellType
  /** The place of its value in the entry. "Last day" shows the day before `effectiveTo`. */
  path: readonly string[]
  required: boolean
  /** Whether its values are read-only, as for the entry's own key. */
  fixed?: boolean
  /** Shown only if the user selects it. */
  hidden?: boolean
  precision?: number
  scale?: number
  valueSet?: string
  help?: string
  /** Whether its texts can have several lines. */
  hasLines?: boolean
  /** Whether its values are moments, which `CellType` does not have because entries have none. */
  isMoment?: boolean
}

/** In the order of the sheet: key, values, scope and dates, then the rarely needed columns. */
export function columnsOf({ keyedBy, fields, scopes, dated }: EntrySet): SheetColumn[] {
  const columns: SheetColumn[] = []
  if (keyedBy)
    columns.push({
      id: 'key',
      title: keyedBy.key,
      kind: 'key',
      type: keyedBy.type as CellType,
      path: ['body', 'key'],
      required: true,
      valueSet: keyedBy.valueSet,
    })
  for (const field of fields)
    columns.push({
      id: `v:${field.key}`,
      title: field.label,
      kind: 'field',
      type: field.type as CellType,
      path: ['body', 'values', field.key],
      required: field.required,
      precision: field.precision,
      scale: field.scale,
      valueSet: field.valueSet,
      help: field.help,
    })
  columns.push(plain('scope', 'Scope', 'scope', ['body', 'scope'], true))
  if (dated)
    columns.push(
      plain('from', 'From', 'date', ['body', 'effectiveFrom'], true),
      plain('last', 'Last day', 'date', ['body', 'effectiveTo']),
    )
  if (scopes.includes('permission_set'))
    columns.push(plain('priority', 'Priority', 'rank', ['body', 'priority']))
  columns.push(
    { ...plain('label', 'Label', 'text', ['label']), hidden: true },
    { ...plain('entry', 'Entry', 'text', ['key']), fixed: true, hidden: true },
  )
  return columns
}

function plain(
  kind: SheetColumn['kind'],
  title: string,
  type: CellType,
  path: readonly string[],
  required = false,
): SheetColumn {
  return { id: kind, title, kind, type, path, required }
}

/** One string per place, so two columns of one place share their value. */
export function placeOf({ path }: SheetColumn): string {
  return path.join('/')
}

/** Whether two values are the same; scopes and other objects are compared by content. */
export function sameValue(a: CellValue, b: CellValue): boolean {
  if (a === b) return true
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return false
  return JSON.stringify(sortKeys(a)) === JSON.stringify(sortKeys(b))
}

function sortKeys(value: JsonValue): JsonValue {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value
  return Object.fromEntries(
    Object.entries(value)
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([name, part]) => [name, sortKeys(part)]),
  )
}
