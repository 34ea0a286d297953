// Uses the kernel to explain immediately why a typed value does not fit its column; the plan of the drafts checks the
// rest.
import { explainBusinessKey } from '#kernel/components/config-entry/business-key.ts'
import { explainValue } from '#kernel/components/config-entry/values.ts'
import { scopeKinds, scopeProperty, type ScopeKind } from '#kernel/components/scopes.ts'
import type { ComponentView } from '#kernel/components/view.ts'
import { dayFault } from '../../../text/words.ts'
import { isObject } from '../../../widgets/widget.ts'
import type { CellContext } from './cell-text.ts'
import type { CellValue, SheetColumn } from './columns.ts'

/** A sentence, or null if the value fits. */
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
      return typeof value === 'string' ? dayFault(value) : 'Enter a date such as 2027-01-01.'
    case 'priority':
      return typeof value === 'number' ? null : 'Enter a whole number; the highest priority wins.'
    case 'label':
    case 'entry':
      return null
  }
}

function fieldFault(column: SheetColumn, value: CellValue, context: CellContext): string | null {
  if (typeof value !== 'string' && typeof value !== 'boolean') return `${column.title} has the wrong type.`
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
    return 'Enter org, or a kind and a name such as “app, catering”.'
  if (!scopes.includes(kind))
    return `The set’s scope chain has no ${kind.replace('_', ' ')}; it is ${scopes.join(', ')}.`
  const property = scopeProperty[kind]
  return property === null || (value as Record<string, unknown>)[property]
    ? null
    : `Name the ${kind.replace('_', ' ')}.`
}

/** A view that knows value sets; a set that is not loaded yet causes no fault. */
function viewOf({ valueSet }: CellContext): ComponentView {
  const get = (type: string, key: string): unknown => (type === 'value_set' ? valueSet(key) : undefined)
  return { get } as unknown as ComponentView
}
