// Form fields for the properties that `field-shape.ts` requires by type, for sets, objects and events.
import type { FieldDescriptor } from './form.ts'

export const valueShapeColumns: readonly FieldDescriptor[] = [
  {
    path: 'precision',
    label: 'Digits',
    help: 'The total number of digits.',
    widget: 'number',
    when: { path: 'type', in: ['number'] },
  },
  {
    path: 'scale',
    label: 'Decimal places',
    help: 'The number of digits after the decimal point, for example 4 for 0.1950.',
    widget: 'number',
    when: { path: 'type', in: ['number'] },
  },
  {
    path: 'valueSet',
    label: 'Value set',
    help: 'The allowed values.',
    widget: 'reference',
    refTypes: ['value_set'],
    when: { path: 'type', in: ['enum'] },
  },
]
