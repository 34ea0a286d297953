// The mapping step: the targets that a set needs from a table, and the column that provides each.
import type { ImportInspection, ImportMap } from '../../../api/tables.ts'
import type { JsonObject, JsonValue } from '../../../api/wire.ts'
import type { EntrySet } from '../../../widgets/entry-set.ts'
import { isObject } from '../../../widgets/widget.ts'

/** What a column can provide. */
export interface Target {
  id: 'key' | 'from' | 'to' | 'scopeColumn' | 'priorityColumn' | 'label' | `field:${string}`
  title: string
  help: string
  required: boolean
  /** The field's type; for other targets, a date or a text. */
  type: string
}

export function targetsOf({ keyedBy, dated, fields, scopes }: EntrySet): Target[] {
  const key: Target[] =
    keyedBy === null
      ? []
      : [{ id: 'key', title: keyedBy.key, help: 'Identifies the row.', required: true, type: keyedBy.type }]
  const dates: Target[] = dated
    ? [
        {
          id: 'from',
          title: 'First day',
          help: 'The first day on which the row applies.',
          required: true,
          type: 'date',
        },
        { id: 'to', title: 'End', help: 'An empty cell means no end.', required: false, type: 'date' },
      ]
    : []
  const whom: Target[] = scopes.every((kind) => kind === 'org')
    ? []
    : [
        {
          id: 'scopeColumn',
          title: 'Scope',
          help: 'org, or a kind and a name such as environment=test.',
          required: false,
          type: 'scope',
        },
        ...(scopes.includes('permission_set')
          ? [
              {
                id: 'priorityColumn',
                title: 'Priority',
                help: 'Decides which permission set wins.',
                required: false,
                type: 'whole number',
              } as const,
            ]
          : []),
      ]
  return [
    ...key,
    ...fields.map((field): Target => ({
      id: `field:${field.key}`,
      title: field.label,
      help: field.help,
      required: field.required,
      type: field.type,
    })),
    ...dates,
    ...whom,
    {
      id: 'label',
      title: 'Label',
      help: 'If omitted, it is generated from the key and the first day.',
      required: false,
      type: 'text',
    },
  ]
}

export const fieldOf = (id: Target['id']): string | null =>
  id.startsWith('field:') ? id.slice('field:'.length) : null

export const valuesOf = (map: ImportMap): JsonObject => (isObject(map.values) ? map.values : {})

/** The column that provides a target; empty if none does. */
export function columnOf(map: ImportMap, { id }: Pick<Target, 'id'>): string {
  const field = fieldOf(id)
  const value = field === null ? map[id] : valuesOf(map)[field]
  if (typeof value === 'string') return value
  return isObject(value) && typeof value.column === 'string' ? value.column : ''
}

/** Returns the map with a different column for a target; an empty one removes it. The format of the target is kept. */
export function withColumn(map: ImportMap, { id }: Pick<Target, 'id'>, column: string): ImportMap {
  const field = fieldOf(id)
  if (id === 'to') return withEnd(map, column)
  if (field === null) return put(map, id, column === '' ? undefined : column)
  const now = valuesOf(map)[field]
  const next: JsonValue | undefined = isObject(now) ? { ...now, column } : column === '' ? undefined : column
  return { ...map, values: put(valuesOf(map), field, column === '' ? undefined : next) }
}

/** A different column for the end drops the answers about the previous one. */
function withEnd(map: ImportMap, column: string): ImportMap {
  const { to: _to, toIs: _toIs, ends: _ends, ...others } = map
  return column === '' ? others : { ...others, to: column }
}

/** The separators between several keys in one cell; each key gets the row. */
export const splits = [
  { value: '', label: 'one key per cell' },
  { value: '\n', label: 'several, one per line' },
  { value: ',', label: 'several, comma-separated' },
  { value: ';', label: 'several, semicolon-separated' },
  { value: ' ', label: 'several, space-separated' },
  { value: '|', label: 'several, bar-separated' },
] as const

export function splitOf(map: ImportMap): string {
  return typeof map.split === 'string' ? map.split : ''
}

export function withSplit(map: ImportMap, split: string): ImportMap {
  return put(map, 'split', split === '' ? undefined : split)
}

/** Samples of the column that provides a target, from the rows that were read. */
export function samplesOf({ columns }: Pick<ImportInspection, 'columns'>, column: string): string[] {
  return columns.find(({ name }) => name === column)?.samples ?? []
}

export function put(holder: JsonObject, name: string, value: JsonValue | undefined): JsonObject {
  const { [name]: _before, ...others } = holder
  return value === undefined ? others : { ...others, [name]: value }
}
