// Checks the parameters of calc functions and invocable automations: unique, and without reserved names.
import type { Finding } from '../errors/finding.ts'
import type { ComponentType } from './component.ts'
import { duplicateItems } from './duplicates.ts'
import type { Param } from './expression-slot.ts'
import type { FieldDescriptor } from './form.ts'
import { unreadableBare } from './language-names.ts'
import { pointer } from './pointer.ts'
import { fault } from './report.ts'

/** Returns findings on the `params` of a body. */
export function paramFindings(
  component: { type: ComponentType; key: string },
  params: readonly Param[],
): Finding[] {
  const kept = params.flatMap((param, index) => {
    if (!unreadableBare.has(param.key)) return []
    const message = `"${param.key}" is reserved in expressions, so it cannot be the name of a parameter. Choose a different name.`
    return [fault(component, pointer('body', 'params', index, 'key'), 'calc.param_shadowed', message)]
  })
  return [...kept, ...duplicateItems(component, ['body', 'params'], params, 'key')]
}

export const paramTypeOptions = [
  { value: 'number', label: 'Number' },
  { value: 'text', label: 'Text' },
  { value: 'boolean', label: 'Yes or no' },
  { value: 'date', label: 'Date' },
  { value: 'datetime', label: 'Date and time' },
] as const

export const paramColumns: readonly FieldDescriptor[] = [
  { path: 'key', label: 'Name', help: 'The name that the expression uses.', widget: 'text', required: true },
  {
    path: 'type',
    label: 'Type',
    help: 'The type of the value that is passed in.',
    widget: 'select',
    required: true,
    options: paramTypeOptions,
  },
]
