// A column of records as the cell editor of the sheet of entries knows columns: its type, and how a text is read.
import type { FieldDescription, RecordValue } from '../../../api/records.ts'
import type { ComponentOf } from '#kernel/components/body-types.ts'
import { momentText, readMoment, userZone, zoneWords } from '../../../text/moments.ts'
import { parseCell, type CellContext, type DateOrder } from '../../component/sheet/cell-text.ts'
import type { SheetColumn } from '../../component/sheet/columns.ts'
import type { GridColumn } from '../grid-columns.ts'
import { labelOf, recordValueWords } from '../record-words.ts'
import { valueFault } from '../value-fault.ts'

const types = {
  text: 'text',
  number: 'number',
  boolean: 'boolean',
  date: 'date',
  datetime: 'text',
  enum: 'enum',
  reference: 'text',
} as const satisfies Record<FieldDescription['type'], SheetColumn['type']>

export function editedColumn({ name, label, field }: GridColumn): SheetColumn {
  return {
    id: name,
    title: label,
    kind: 'field',
    type: types[field.type],
    path: [field.key],
    required: field.required,
    precision: field.precision ?? undefined,
    scale: field.scale ?? undefined,
    valueSet: field.valueSet ?? undefined,
    hasLines: field.type === 'text',
    isMoment: field.type === 'datetime',
  }
}

/** The value sets of the columns, as a description has them. */
export function editedContext(columns: readonly GridColumn[]): CellContext {
  const sets = new Map(
    columns.flatMap(({ field }) =>
      field.valueSet === null ? [] : [[field.valueSet, valueSetOf(field.valueSet, field)] as const],
    ),
  )
  return { valueSet: (key) => sets.get(key), scopes: [], offersLabels: true }
}

function valueSetOf(
  key: string,
  { values, labels }: Pick<FieldDescription, 'values' | 'labels'>,
): ComponentOf<'value_set'> {
  const active = new Set(values)
  const members = Object.entries(labels ?? {}).map(([value, label]) => ({
    ...{ key: value, label, active: active.has(value) },
  }))
  return { type: 'value_set', key, label: key, body: { values: members } }
}

/** The value of a typed or pasted text. One that does not fit stays as typed, and the server explains it. */
export function readValue(
  column: GridColumn,
  text: string,
  context: CellContext,
  order: DateOrder | null = null,
): RecordValue {
  if (column.field.type === 'datetime') return readTypedMoment(text.trim(), order)
  const { value } = parseCell(editedColumn(column), text, context, order)
  return (value ?? null) as RecordValue
}

/** A moment in the user's time zone; a text that is not one stays as typed. */
function readTypedMoment(text: string, order: DateOrder | null): string | null {
  if (text === '') return null
  const read = readMoment(text, userZone(), order)
  return 'value' in read ? read.value : text
}

/** The text with which the editor opens and that is copied, which `readValue` reads back as the same value. */
export function editText({ field }: GridColumn, value: RecordValue): string {
  if (typeof value === 'boolean') return value ? 'yes' : 'no'
  if (field.type === 'datetime' && value !== null) return momentText(value, userZone())
  if (field.type === 'enum' && value !== null) return memberText(field.labels ?? {}, value)
  return value ?? ''
}

/** A label that several values have would be read as none of them. */
function memberText(labels: Readonly<Record<string, string>>, key: string): string {
  const label = labelOf(labels, key)
  const same = Object.entries(labels).filter((each) => each.some((text) => isSameText(text, label)))
  return same.length > 1 ? key : label
}

const isSameText = (a: string, b: string): boolean => a.toLowerCase() === b.toLowerCase()

/** How a typed text is read, and what is wrong with it; null if neither needs words. */
export function typedHint(
  column: GridColumn,
  text: string,
  context: CellContext,
): { words: string; wrong: boolean } | null {
  if (text.trim() === '') return null
  const value = readValue(column, text, context)
  const fault = valueFault(column.field, value)
  if (fault !== null) return { words: fault, wrong: true }
  const { type } = column.field
  if (type === 'datetime')
    return { words: `${recordValueWords(column.field, value)}, ${zoneWords(userZone())}`, wrong: false }
  const isReadAs = (type === 'number' || type === 'date') && value !== text.trim()
  return isReadAs ? { words: `reads as ${recordValueWords(column.field, value)}`, wrong: false } : null
}
