// Help on configuration sets.
import type { ComponentDoc } from '../define.ts'

export const configSetDoc: ComponentDoc = {
  summary: 'A configuration set is a named, typed table of values that the organisation cannot run without.',
  text: `Use a set for rates, thresholds, tax tables and addresses: values that belong to the build of an environment rather than to its customers.

A **singleton** set has one row for each scope; a **keyed** set has many, told apart by a business key such as a country. Where the set is **effective-dated**, each row counts from its first day until the day on which the next one starts, and the asOfField of the record that reads it decides which row counts.

The most specific scope that has a matching row wins, and gives the whole row; rows are never merged. No field holds a secret: hold the key of a credential in a credential_reference field instead.

Nobody sees a set until a permission set is granted read or edit.`,
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
        help: 'As a fraction: 0.19 for 19 %.',
      },
      { key: 'kind', type: 'enum', valueSet: 'rate_kind', label: 'Kind' },
    ],
    read: { tax_readers: 'read' },
    edit: { tax_editors: 'edit' },
  },
}
