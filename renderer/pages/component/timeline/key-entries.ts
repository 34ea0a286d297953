// The rows of a key as kernel entries, so the kernel's rules and resolution apply to the rows of the sheet.
import type { ComponentOf } from '#kernel/components/body-types.ts'
import type { EntrySet } from '../../../widgets/entry-set.ts'
import type { Sheet } from '../sheet/sheet.ts'
import type { RowId } from '../sheet/sheet-rows.ts'
import { rangeOf, scopeOf, type CellReader } from './lanes.ts'

export interface EntryRow {
  entry: ComponentOf<'config_entry'>
  row: RowId
}

/** Returns the rows of a key as entries, except those whose scope or days cannot be read. */
export function entriesOf(sheet: Sheet, declared: EntrySet, key: string | null): EntryRow[] {
  return sheet.rowsOfKey(key).flatMap((row) => {
    const read: CellReader = (place) => sheet.value(row, place)
    const [scope, range] = [scopeOf(read), rangeOf(read)]
    if (scope === null || range === null || sheet.editOf(row)?.kind === 'removed') return []
    const text = (place: string): string | undefined => {
      const value = sheet.value(row, place)
      return typeof value === 'string' ? value : undefined
    }
    const priority = sheet.value(row, 'body/priority')
    const values = declared.fields.flatMap((field) => {
      const value = sheet.value(row, `body/values/${field.key}`)
      return typeof value === 'string' || typeof value === 'boolean' ? [[field.key, value] as const] : []
    })
    const entry = {
      type: 'config_entry' as const,
      key: `${declared.key}.${sheet.slugOf(row)}`,
      label: '',
      body: {
        set: declared.key,
        ...(key === null ? {} : { key }),
        scope,
        ...(typeof priority === 'number' ? { priority } : {}),
        effectiveFrom: text('body/effectiveFrom'),
        effectiveTo: text('body/effectiveTo') ?? null,
        values: Object.fromEntries(values),
      },
    }
    return [{ entry: entry as ComponentOf<'config_entry'>, row }]
  })
}

/** The part of the set that the range rules need. */
export function definitionOf({ key, scopes, keyedBy, fields }: EntrySet): ComponentOf<'config_set'> {
  const body = {
    cardinality: keyedBy ? 'keyed' : 'singleton',
    ...(keyedBy ? { keyedBy: { key: keyedBy.key, type: keyedBy.type } } : {}),
    scopes,
    effectiveDated: true,
    fields: fields.map((field) => ({ key: field.key, type: field.type, required: field.required })),
  }
  return { type: 'config_set', key, label: key, body } as unknown as ComponentOf<'config_set'>
}
