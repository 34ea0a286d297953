// Form of a configuration set.
import type { FormDescriptor } from '../form.ts'
import { valueShapeColumns } from '../value-shape-columns.ts'

export const configSetForm: FormDescriptor = {
  sections: [
    {
      title: 'Shape',
      fields: [
        {
          path: 'cardinality',
          label: 'Rows',
          help: 'One row for each scope, or many rows identified by a business key such as a country.',
          widget: 'select',
          required: true,
          options: [
            { value: 'singleton', label: 'One row', help: 'A single row of values for each scope.' },
            {
              value: 'keyed',
              label: 'One row for each key',
              help: 'Many rows, each identified by its business key.',
            },
          ],
        },
        {
          path: 'keyedBy',
          label: 'Business key',
          help: 'Identifies each row.',
          widget: 'group',
          required: true,
          when: { path: 'cardinality', in: ['keyed'] },
          fields: [
            {
              path: 'key',
              label: 'Name',
              help: 'The name of the key, for example country.',
              widget: 'text',
              required: true,
              placeholder: 'country',
            },
            {
              path: 'type',
              label: 'Type',
              help: 'Numbers and dates are compared by value, so 1 and 1.0 are one key.',
              widget: 'select',
              required: true,
              options: [
                { value: 'text', label: 'Text' },
                { value: 'enum', label: 'Value of a value set' },
                { value: 'number', label: 'Number' },
                { value: 'date', label: 'Date' },
                { value: 'boolean', label: 'Yes or no' },
              ],
            },
            {
              path: 'valueSet',
              label: 'Value set',
              help: 'The allowed keys.',
              widget: 'reference',
              refTypes: ['value_set'],
              when: { path: 'type', in: ['enum'] },
            },
          ],
        },
        {
          path: 'fields',
          label: 'Fields',
          help: 'The columns of every row, each with its type.',
          widget: 'grid',
          required: true,
          columns: [
            { title: 'Key', paths: ['key'] },
            { title: 'Type', paths: ['type'] },
            { title: 'Size or values', paths: ['precision', 'scale', 'valueSet'] },
            { title: 'Required', paths: ['required'] },
          ],
          fields: [
            {
              path: 'key',
              label: 'Key',
              help: 'The name that expressions use, as in config.vat_rate("DE").rate.',
              widget: 'text',
              required: true,
            },
            {
              path: 'type',
              label: 'Type',
              help: 'No type can contain a secret. Store the name of a credential instead.',
              widget: 'select',
              required: true,
              options: [
                { value: 'number', label: 'Number', help: 'An exact decimal.' },
                { value: 'enum', label: 'Value of a value set' },
                { value: 'date', label: 'Date' },
                { value: 'text', label: 'Text' },
                { value: 'boolean', label: 'Yes or no' },
                {
                  value: 'credential_reference',
                  label: 'Name of a credential',
                  help: 'Resolved when a call is made. It never contains the secret.',
                },
              ],
            },
            { path: 'required', label: 'Required', help: 'Every row must have a value.', widget: 'switch' },
            ...valueShapeColumns,
            { path: 'label', label: 'Label', help: 'The name above the column.', widget: 'text' },
            {
              path: 'help',
              label: 'Help',
              help: 'One sentence for the user who fills in the field.',
              widget: 'text',
            },
          ],
        },
      ],
    },
    {
      title: 'Scopes and dates',
      fields: [
        {
          path: 'scopes',
          label: 'Scope chain',
          help: 'The kinds of scopes that can have their own row, in the order in which they are tried: most specific first, org last. The first matching row wins as a whole.',
          widget: 'chain',
        },
        {
          path: 'effectiveDated',
          label: 'Effective-dated',
          help: 'Each row applies from its first day until the next row starts, so that past results can still be verified.',
          widget: 'switch',
        },
        {
          path: 'asOfField',
          label: 'As-of field',
          help: 'The date of the record that reads the set, for example invoice.tax_date. One for each object that reads the set.',
          widget: 'object_field',
          required: true,
          when: { path: 'effectiveDated', in: [true] },
        },
      ],
    },
    {
      title: 'Access',
      fields: [
        {
          path: 'read',
          label: 'Can read',
          help: 'Permission sets whose holders can see the values. Everyone else cannot.',
          widget: 'grants',
        },
        {
          path: 'edit',
          label: 'Can edit',
          help: 'Permission sets whose holders can change entries. They also need config.author.',
          widget: 'grants',
        },
      ],
    },
  ],
}
