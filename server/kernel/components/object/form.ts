// Form of an object.
import type { FieldDescriptor, FormDescriptor } from '../form.ts'
import { valueShapeColumns } from '../value-shape-columns.ts'

export const objectFieldTypeOptions = [
  { value: 'text', label: 'Text' },
  { value: 'number', label: 'Number', help: 'An exact decimal.' },
  { value: 'boolean', label: 'Yes or no' },
  { value: 'date', label: 'Date' },
  { value: 'datetime', label: 'Date and time' },
  { value: 'enum', label: 'Value of a value set' },
  { value: 'reference', label: 'Reference to a record' },
] as const

/** What fields of objects and of events have in common. */
export const typedFieldColumns: readonly FieldDescriptor[] = [
  {
    path: 'key',
    label: 'Key',
    help: 'The name that expressions and the data API use.',
    widget: 'text',
    required: true,
  },
  {
    path: 'type',
    label: 'Type',
    help: 'No type holds a secret.',
    widget: 'select',
    required: true,
    options: objectFieldTypeOptions,
  },
  { path: 'label', label: 'Label', help: 'What people see beside the value.', widget: 'text' },
  { path: 'required', label: 'Required', help: 'No record without a value.', widget: 'switch' },
  ...valueShapeColumns,
  {
    path: 'references',
    label: 'Points at',
    help: 'The object whose records it points at.',
    widget: 'reference',
    refTypes: ['object'],
    when: { path: 'type', in: ['reference'] },
  },
]

const formula: FieldDescriptor = {
  path: 'formula',
  label: 'Formula',
  help: 'Computes the value instead of having it entered.',
  widget: 'group',
  fields: [
    {
      path: 'expression',
      label: 'Expression',
      help: 'How the value follows from the record and from configuration.',
      widget: 'expression',
      expression: 'formula',
      required: true,
    },
    {
      path: 'stored',
      label: 'Stored',
      help: 'Kept with the record and provable later, or computed anew at every read.',
      widget: 'switch',
    },
  ],
}

const rollup: FieldDescriptor = {
  path: 'rollup',
  label: 'Roll-up',
  help: 'Adds up the records of another object that point at this one.',
  widget: 'group',
  fields: [
    {
      path: 'child',
      label: 'Child object',
      help: 'Whose records are taken together.',
      widget: 'reference',
      required: true,
      refTypes: ['object'],
    },
    {
      path: 'via',
      label: 'Its reference',
      help: 'The field of the child that points here.',
      widget: 'object_field',
      required: true,
    },
    {
      path: 'op',
      label: 'Operation',
      help: 'How the records are taken together.',
      widget: 'select',
      required: true,
      options: [
        { value: 'count', label: 'Count' },
        { value: 'sum', label: 'Sum' },
        { value: 'min', label: 'Smallest' },
        { value: 'max', label: 'Largest' },
        { value: 'avg', label: 'Average' },
      ],
    },
    {
      path: 'of',
      label: 'Of',
      help: 'The field of the child that is taken. Not for a count.',
      widget: 'object_field',
      when: { path: 'op', in: ['sum', 'min', 'max', 'avg'] },
    },
    {
      path: 'filter',
      label: 'Only where',
      help: 'A condition on the child; empty takes all.',
      widget: 'expression',
      expression: 'rollup_filter',
    },
  ],
}

const local = { path: 'storage', in: ['local'] }
const external = { path: 'storage', in: ['external'] }

export const objectForm: FormDescriptor = {
  sections: [
    {
      title: 'Storage',
      fields: [
        {
          path: 'storage',
          label: 'Rows are kept',
          help: 'Here, or in a remote system that is read without a copy.',
          widget: 'select',
          options: [
            { value: 'local', label: 'Here' },
            {
              value: 'external',
              label: 'In a remote source',
              help: 'A virtual object: no roll-ups, no stored formulas, no unique fields.',
            },
          ],
        },
        {
          path: 'dataSource',
          label: 'Data source',
          help: 'The declared source behind the object.',
          widget: 'reference',
          required: true,
          refTypes: ['external_data_source'],
          when: external,
        },
        {
          path: 'remoteEntity',
          label: 'Remote entity',
          help: 'What the source calls it, for example SalesOrders.',
          widget: 'text',
          required: true,
          when: external,
        },
        {
          path: 'externalId',
          label: 'Remote id',
          help: 'The remote property that identifies a row.',
          widget: 'text',
          required: true,
          when: external,
        },
        {
          path: 'ownerColumn',
          label: 'Remote owner',
          help: 'The remote property that holds the owner. Without it, the object permission alone decides who sees a row.',
          widget: 'text',
          when: external,
        },
      ],
    },
    {
      title: 'Fields',
      fields: [
        {
          path: 'fields',
          label: 'Fields',
          help: 'What a record holds.',
          widget: 'grid',
          required: true,
          fields: [
            ...typedFieldColumns,
            {
              path: 'unique',
              label: 'Unique',
              help: 'No two records have the same value.',
              widget: 'switch',
            },
            {
              path: 'sensitive',
              label: 'Sensitive',
              help: 'Masked in traces and in what is sent out.',
              widget: 'switch',
              when: { path: 'type', in: ['text'] },
            },
            formula,
            rollup,
            {
              path: 'aliases',
              label: 'Former names',
              help: 'Names that keep working after a rename.',
              widget: 'list',
            },
            {
              path: 'remoteField',
              label: 'Remote property',
              help: 'What the source calls it, where it differs from the key. Only for a virtual object.',
              widget: 'text',
            },
          ],
        },
        {
          path: 'nameField',
          label: 'Name field',
          help: 'The text that stands for a record in links and lists.',
          widget: 'object_field',
        },
        {
          path: 'aliases',
          label: 'Former names',
          help: 'Names of the object that keep working after a rename.',
          widget: 'list',
        },
      ],
    },
    {
      title: 'Rules',
      fields: [
        {
          path: 'validationRules',
          label: 'Validation rules',
          help: 'Each refuses a record where its condition is true.',
          widget: 'grid',
          when: local,
          fields: [
            { path: 'key', label: 'Key', help: 'The name of the rule.', widget: 'text', required: true },
            {
              path: 'when',
              label: 'Refuse where',
              help: 'The condition.',
              widget: 'expression',
              expression: 'validation_rule',
              required: true,
            },
            {
              path: 'message',
              label: 'Message',
              help: 'What the person reads: what is wrong, and the way out.',
              widget: 'text',
              required: true,
            },
            {
              path: 'field',
              label: 'Beside field',
              help: 'Where the message is shown.',
              widget: 'object_field',
            },
          ],
        },
      ],
    },
    {
      title: 'Sharing',
      fields: [
        {
          path: 'sharing',
          label: 'Sharing',
          help: 'Which records a person sees whom a permission set lets read the object.',
          widget: 'group',
          when: local,
          fields: [
            {
              path: 'default',
              label: 'By default',
              help: 'What everyone may do with records that are not theirs.',
              widget: 'select',
              options: [
                { value: 'private', label: 'Nothing' },
                { value: 'read', label: 'Read' },
                { value: 'read_write', label: 'Read and change' },
              ],
            },
            {
              path: 'ownerField',
              label: 'Owner field',
              help: 'The text field that holds the key of the user who owns a record.',
              widget: 'object_field',
            },
            {
              path: 'rules',
              label: 'Sharing rules',
              help: 'Each opens the records that meet its condition to the holders of a permission set.',
              widget: 'grid',
              fields: [
                { path: 'key', label: 'Key', help: 'The name of the rule.', widget: 'text', required: true },
                {
                  path: 'when',
                  label: 'Where',
                  help: 'Which records it opens.',
                  widget: 'expression',
                  expression: 'sharing_rule',
                  required: true,
                },
                {
                  path: 'permissionSet',
                  label: 'To holders of',
                  help: 'The permission set.',
                  widget: 'reference',
                  required: true,
                  refTypes: ['permission_set'],
                },
                {
                  path: 'access',
                  label: 'Access',
                  help: 'What they may do.',
                  widget: 'select',
                  required: true,
                  options: [
                    { value: 'read', label: 'Read' },
                    { value: 'read_write', label: 'Read and change' },
                  ],
                },
              ],
            },
          ],
        },
      ],
    },
    {
      title: 'Change capture',
      fields: [
        {
          path: 'capture',
          label: 'Change capture',
          help: 'Publishes an event for every committed change.',
          widget: 'group',
          when: local,
          fields: [
            { path: 'enabled', label: 'On', help: 'Off unless it is asked for.', widget: 'switch' },
            {
              path: 'fields',
              label: 'Fields',
              help: 'Which fields the events carry; all of them unless some are named.',
              widget: 'object_field',
            },
          ],
        },
      ],
    },
  ],
}
