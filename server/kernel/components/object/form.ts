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

/** The form fields that objects and events share. */
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
    help: 'No type can contain a secret.',
    widget: 'select',
    required: true,
    options: objectFieldTypeOptions,
  },
  { path: 'label', label: 'Label', help: 'The name that is shown next to the value.', widget: 'text' },
  { path: 'required', label: 'Required', help: 'Every record must have a value.', widget: 'switch' },
  ...valueShapeColumns,
  {
    path: 'references',
    label: 'Target',
    help: 'The object that the field refers to.',
    widget: 'reference',
    refTypes: ['object'],
    when: { path: 'type', in: ['reference'] },
  },
]

const formula: FieldDescriptor = {
  path: 'formula',
  label: 'Formula',
  help: 'Computes the value instead of letting users enter it.',
  widget: 'group',
  fields: [
    {
      path: 'expression',
      label: 'Expression',
      help: 'Computes the value from the record and from configuration.',
      widget: 'expression',
      expression: 'formula',
      required: true,
    },
    {
      path: 'stored',
      label: 'Stored',
      help: 'The value is stored with the record and can be verified later. If off, it is computed on every read.',
      widget: 'switch',
    },
  ],
}

const rollup: FieldDescriptor = {
  path: 'rollup',
  label: 'Roll-up',
  help: 'Aggregates the records of another object that refer to this one.',
  widget: 'group',
  fields: [
    {
      path: 'child',
      label: 'Child object',
      help: 'The object whose records are aggregated.',
      widget: 'reference',
      required: true,
      refTypes: ['object'],
    },
    {
      path: 'via',
      label: 'Reference field',
      help: 'The field of the child that refers to this object.',
      widget: 'object_field',
      required: true,
    },
    {
      path: 'op',
      label: 'Operation',
      help: 'How the records are aggregated.',
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
      label: 'Operand',
      help: 'The field of the child that is aggregated. Not used for a count.',
      widget: 'object_field',
      when: { path: 'op', in: ['sum', 'min', 'max', 'avg'] },
    },
    {
      path: 'filter',
      label: 'Filter',
      help: 'A condition on the child. If empty, all records are included.',
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
          label: 'Storage',
          help: 'Where the rows are stored: here, or in a remote system that is read without a copy.',
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
          help: 'The name of the entity in the source, for example SalesOrders.',
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
          help: 'The remote property that contains the owner. If omitted, only the object permission decides who sees a row.',
          widget: 'text',
          when: external,
        },
        {
          path: 'writable',
          label: 'Writable',
          help: 'Rows can be added, changed and deleted in the source. It must have ETags, which are the versions of the rows.',
          widget: 'switch',
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
          help: 'The fields of a record.',
          widget: 'grid',
          required: true,
          fields: [
            ...typedFieldColumns,
            {
              path: 'unique',
              label: 'Unique',
              help: 'No two records can have the same value.',
              widget: 'switch',
            },
            {
              path: 'sensitive',
              label: 'Sensitive',
              help: 'The value is masked in traces and in outgoing data.',
              widget: 'switch',
              when: { path: 'type', in: ['text'] },
            },
            {
              path: 'default',
              label: 'Default',
              help: 'The value of a new record that is added without one.',
              widget: 'expression',
              expression: 'field_default',
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
              help: 'The name of the property in the source, if it differs from the key. Only for a virtual object.',
              widget: 'text',
            },
            {
              path: 'remoteType',
              label: 'Remote type',
              help: 'The type of the property in the source, such as Edm.Guid, Edm.Int64 or the qualified name of an enumeration. If empty, Edm.String for a text, an enum or a reference, and Edm.Decimal for a number. Only for a virtual object.',
              widget: 'text',
            },
            {
              path: 'readOnly',
              label: 'Set by the source',
              help: 'The value cannot be entered here. Only for a virtual object.',
              widget: 'switch',
            },
          ],
        },
        {
          path: 'nameField',
          label: 'Name field',
          help: 'The text field that names a record in links and lists.',
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
          help: 'Each rule rejects a record if its condition is true.',
          widget: 'grid',
          when: local,
          fields: [
            { path: 'key', label: 'Key', help: 'The name of the rule.', widget: 'text', required: true },
            {
              path: 'when',
              label: 'Reject if',
              help: 'The condition.',
              widget: 'expression',
              expression: 'validation_rule',
              required: true,
            },
            {
              path: 'message',
              label: 'Message',
              help: 'The message to the user: what is wrong, and how to fix it.',
              widget: 'text',
              required: true,
            },
            {
              path: 'field',
              label: 'Field',
              help: 'The field next to which the message is shown.',
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
          help: 'Which records a user sees if a permission set allows them to read the object.',
          widget: 'group',
          when: local,
          fields: [
            {
              path: 'default',
              label: 'Default',
              help: 'What everyone can do with the records of other users.',
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
              help: 'The text field with the key of the user who owns a record.',
              widget: 'object_field',
            },
            {
              path: 'rules',
              label: 'Sharing rules',
              help: 'Each rule shares the records that meet its condition with the holders of a permission set.',
              widget: 'grid',
              fields: [
                { path: 'key', label: 'Key', help: 'The name of the rule.', widget: 'text', required: true },
                {
                  path: 'when',
                  label: 'Condition',
                  help: 'The records that are shared.',
                  widget: 'expression',
                  expression: 'sharing_rule',
                  required: true,
                },
                {
                  path: 'permissionSet',
                  label: 'Permission set',
                  help: 'The permission set whose holders get access.',
                  widget: 'reference',
                  required: true,
                  refTypes: ['permission_set'],
                },
                {
                  path: 'access',
                  label: 'Access',
                  help: 'What the holders can do.',
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
            { path: 'enabled', label: 'On', help: 'Off by default.', widget: 'switch' },
            {
              path: 'fields',
              label: 'Fields',
              help: 'The fields in the events. If omitted, all fields.',
              widget: 'object_field',
            },
          ],
        },
      ],
    },
  ],
}
