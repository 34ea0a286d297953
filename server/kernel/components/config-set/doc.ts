// Help on configuration sets.
import type { ComponentDoc } from '../define.ts'

export const configSetDoc: ComponentDoc = {
  summary: 'A configuration set is a named, typed table of values that the organisation depends on.',
  text: `Use a set for rates, thresholds, tax tables and URLs: values that are part of how an environment is configured, not data about its customers.

A **singleton** set has one row for each scope; a **keyed** set has many, identified by a business key such as a country. If the set is **effective-dated**, each row applies from its first day until the day on which the next row starts, and the asOfField of the record that reads the set decides which row applies.

The most specific scope with a matching row wins and gives the whole row; rows are never merged. Fields cannot contain secrets: store the key of a credential in a credential_reference field instead.

A set is hidden from everyone until a permission set is granted read or edit.`,
  example: {
    cardinality: 'keyed',
    keyedBy: { key: 'territory', type: 'text' },
    scopes: ['environment', 'org'],
    effectiveDated: true,
    asOfField: 'invoice.tax_date',
    fields: [
      {
        key: 'rate',
        type: 'number',
        required: true,
        precision: 6,
        scale: 4,
        label: 'Rate',
        help: 'As a fraction: 0.19 for 19%.',
      },
      { key: 'kind', type: 'enum', valueSet: 'rate_kind', label: 'Kind' },
    ],
    read: { tax_readers: 'read' },
    edit: { tax_editors: 'edit' },
  },
}
