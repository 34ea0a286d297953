// Why a value that was typed is none of its column, told at once and by the kernel; the plan of the drafts judges the rest.
import { explainBusinessKey } from '#kernel/components/config-entry/business-key.ts'
import { explainValue } from '#kernel/components/config-entry/values.ts'
import { scopeKinds, scopeProperty, type ScopeKind } from '#kernel/components/scopes.ts'
import type { ComponentView } from '#kernel/components/view.ts'
import { dayFault } from '../../../text/words.ts'
import { isObject } from '../../../widgets/widget.ts'
import type { CellContext } from './cell-text.ts'
import type { CellValue, SheetColumn } from './columns.ts'

/** A sentence, or null where the value fits. */
export function cellFault(column: SheetColumn, value: CellValue, context: CellContext): string | null {
  if (value === undefined || value === null) return column.required ? `${column.title} is missing.` : null
  switch (column.kind) {
    case 'field':
      return fieldFault(column, value, context)
    case 'key':
      return keyFault(column, value, context)
    case 'scope':
      return scopeFault(value, context)
    case 'from':
    case 'last':
      return typeof value === 'string' ? dayFault(value) : 'Write a date such as 2027-01-01.'
    case 'priority':
      return typeof value === 'number' ? null : 'Write a whole number; the highest priority wins.'
    case 'label':
    case 'entry':
      return null
  }
}

function fieldFault(column: SheetColumn, value: CellValue, context: CellContext): string | null {
  if (typeof value !== 'string' && typeof value !== 'boolean')
    return `${column.title} is not written as its type.`
  const { type, precision, scale, valueSet } = column
  const field = { key: column.title, type, precision, scale, valueSet, required: column.required }
  return explainValue(field as Parameters<typeof explainValue>[0], value, viewOf(context))?.message ?? null
}

function keyFault(
  { type, valueSet, title }: SheetColumn,
  value: CellValue,
  context: CellContext,
): string | null {
  const keyedBy = { key: title, type, valueSet }
  return explainBusinessKey(
    keyedBy as Parameters<typeof explainBusinessKey>[0],
    String(value as string),
    viewOf(context),
  )
}

function scopeFault(value: CellValue, { scopes }: CellContext): string | null {
  const kind = isObject(value) ? (value.kind as ScopeKind) : undefined
  if (kind === undefined || !scopeKinds.includes(kind))
    return 'Write org, or a kind and a name such as “app, catering”.'
  if (!scopes.includes(kind))
    return `The set’s chain has no ${kind.replace('_', ' ')}; it is ${scopes.join(', ')}.`
  const property = scopeProperty[kind]
  return property === null || (value as Record<string, unknown>)[property]
    ? null
    : `Say which ${kind.replace('_', ' ')}.`
}

/** A view that knows value sets; one that is not known yet faults nothing. */
function viewOf({ valueSet }: CellContext): ComponentView {
  const get = (type: string, key: string): unknown => (type === 'value_set' ? valueSet(key) : undefined)
  return { get } as unknown as ComponentView
}
