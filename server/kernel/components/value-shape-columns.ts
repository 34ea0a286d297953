// What a form asks of a field beside its type: the companions that `field-shape.ts` demands of sets, objects and events.
import type { FieldDescriptor } from './form.ts'

export const valueShapeColumns: readonly FieldDescriptor[] = [
  {
    path: 'precision',
    label: 'Digits',
    help: 'How many digits a number has in all.',
    widget: 'number',
    when: { path: 'type', in: ['number'] },
  },
  {
    path: 'scale',
    label: 'After the point',
    help: 'How many of the digits stand after the point: 4 keeps 0.1950.',
    widget: 'number',
    when: { path: 'type', in: ['number'] },
  },
  {
    path: 'valueSet',
    label: 'Value set',
    help: 'The values to choose from.',
    widget: 'reference',
    refTypes: ['value_set'],
    when: { path: 'type', in: ['enum'] },
  },
]
