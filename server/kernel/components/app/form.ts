// Form of an app.
import type { FieldDescriptor, FormDescriptor } from '../form.ts'
import { sectionColumns } from '../placement-rules.ts'

const keyAndLabelFields = (what: string): readonly FieldDescriptor[] => [
  {
    path: 'key',
    label: 'Key',
    help: `The name of the ${what} in URLs.`,
    widget: 'text',
    required: true,
  },
  { path: 'label', label: 'Label', help: 'The display name.', widget: 'text', required: true },
]

const sections: FieldDescriptor = {
  path: 'sections',
  label: 'Sections',
  help: 'The sections, from top to bottom.',
  widget: 'grid',
  fields: sectionColumns,
}

const invoke: FieldDescriptor = {
  path: 'invoke',
  label: 'Call',
  help: 'Calls an operation when the step is complete, and fills fields with what it returns.',
  widget: 'group',
  fields: [
    {
      path: 'operation',
      label: 'Operation',
      help: 'An automation that runs when it is called.',
      widget: 'reference',
      required: true,
      refTypes: ['automation'],
    },
    {
      path: 'args',
      label: 'Parameters',
      help: 'For each parameter, the field with its value.',
      widget: 'map',
    },
    {
      path: 'into',
      label: 'Filled fields',
      help: 'For each returned value, the field that it fills.',
      widget: 'map',
    },
    {
      path: 'asOf',
      label: 'As-of date',
      help: 'The date field with the as-of date, if the operation reads a dated set.',
      widget: 'text',
    },
  ],
}

export const appForm: FormDescriptor = {
  sections: [
    {
      title: 'App',
      fields: [
        {
          path: 'label',
          label: 'Header',
          help: 'Shown in the header instead of the label of the component.',
          widget: 'text',
        },
        {
          path: 'objects',
          label: 'Objects',
          help: 'The objects in the navigation, in this order.',
          widget: 'references',
          refTypes: ['object'],
        },
        {
          path: 'order',
          label: 'Position',
          help: 'Apps are listed by this number, smallest first.',
          widget: 'number',
        },
      ],
    },
    {
      title: 'Pages and flows',
      fields: [
        {
          path: 'pages',
          label: 'Pages',
          help: 'Pages in addition to the record pages.',
          widget: 'grid',
          fields: [...keyAndLabelFields('page'), sections],
        },
        {
          path: 'flows',
          label: 'Guided flows',
          help: 'Steps that a user completes to add a record, which is saved after the last step.',
          widget: 'grid',
          fields: [
            ...keyAndLabelFields('flow'),
            {
              path: 'object',
              label: 'Object',
              help: 'The object of the record that the flow adds.',
              widget: 'reference',
              required: true,
              refTypes: ['object'],
            },
            {
              path: 'steps',
              label: 'Steps',
              help: 'The steps, in this order.',
              widget: 'grid',
              fields: [...keyAndLabelFields('step'), sections, invoke],
            },
          ],
        },
      ],
    },
  ],
}
