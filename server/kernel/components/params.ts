// Checks the parameters of calc functions and invocable automations: unique, and without reserved names.
import type { Finding } from '../errors/finding.ts'
import type { ComponentType } from './component.ts'
import { duplicateItemFindings } from './duplicates.ts'
import type { Param } from './expression-slot.ts'
import type { FieldDescriptor } from './form.ts'
import { reservedNames } from './reserved-names.ts'
import { pointer } from './pointer.ts'
import { errorFinding } from './report.ts'

/** Returns findings on the `params` of a body. */
export function paramFindings(
  component: { type: ComponentType; key: string },
  params: readonly Param[],
): Finding[] {
  const reservedNameFindings = params.flatMap((param, index) => {
    if (!reservedNames.has(param.key)) return []
    const message = `"${param.key}" is reserved in expressions, so it cannot be the name of a parameter. Choose a different name.`
    return [errorFinding(component, pointer('body', 'params', index, 'key'), 'calc.param_shadowed', message)]
  })
  return [...reservedNameFindings, ...duplicateItemFindings(component, ['body', 'params'], params, 'key')]
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
