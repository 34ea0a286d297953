// Turns a set or flag into a table: columns with types, and entries as typed cells.
import type { ComponentOf } from '../components/body-types.ts'
import { ownValue } from '../components/own-value.ts'
import { scopeText } from '../components/scopes.ts'

export type ColumnKind = 'text' | 'number' | 'date' | 'boolean'

export interface SetColumn {
  name: string
  kind: ColumnKind
  /** Digits after the point, for numbers. */
  scale?: number
}

/** Numbers and dates as exact texts; null for an absent value. */
export type SetCell = string | boolean | null

type Owner = ComponentOf<'config_set'> | ComponentOf<'feature_flag'>
type Entry = ComponentOf<'config_entry'>

export interface SetTable {
  columns: SetColumn[]
  cells: (entry: Entry) => SetCell[]
}

const kindOf = {
  number: 'number',
  date: 'date',
  boolean: 'boolean',
  text: 'text',
  enum: 'text',
  credential_reference: 'text',
} as const satisfies Record<string, ColumnKind>

/** Returns the columns key, scope, dates, the fields in order, label and the entry's own key. */
export function setTable(owner: Owner): SetTable {
  const fields =
    owner.type === 'config_set' ? owner.body.fields : [{ key: 'value', type: 'boolean' as const }]
  const prioritised = owner.body.scopes.includes('permission_set')
  const keyKind = owner.type === 'config_set' ? kindOf[owner.body.keyedBy?.type ?? 'text'] : 'text'
  return {
    columns: [
      // A business key is a name, so it is text: a number would lose its leading zeros. Only a date stays a date.
      { name: 'key', kind: keyKind === 'date' ? 'date' : 'text' },
      { name: 'scope', kind: 'text' },
      ...(prioritised ? [{ name: 'priority', kind: 'number', scale: 0 } as const] : []),
      { name: 'from', kind: 'date' },
      { name: 'to', kind: 'date' },
      ...fields.map((field): SetColumn => {
        const column = { name: field.key, kind: kindOf[field.type] }
        return 'scale' in field && field.scale !== undefined ? { ...column, scale: field.scale } : column
      }),
      { name: 'label', kind: 'text' },
      { name: 'entry', kind: 'text' },
    ],
    cells: ({ key, label, body }) => [
      body.key ?? null,
      scopeText(body.scope),
      ...(prioritised ? [body.priority === undefined ? null : String(body.priority)] : []),
      body.effectiveFrom ?? null,
      body.effectiveTo ?? null,
      ...fields.map((field) => ownValue(body.values, field.key) ?? null),
      label,
      key,
    ],
  }
}
