// Help on objects.
import type { ComponentDoc } from '../define.ts'

export const objectDoc: ComponentDoc = {
  summary: 'An object is a kind of record: its fields, formulas, rules and sharing.',
  text: `A **local** object keeps its rows here. Its formulas can read configuration; a stored formula keeps its value with a binding, so that it can be verified later. A roll-up aggregates the records that refer to it.

A **virtual** object (storage external) reads its rows from a remote source without a copy. It has no roll-ups, no stored formulas and no unique fields. Each field maps a property of the source. With an owner column, users see only the rows that contain their key in it; without one, the object permission alone decides. If the source has ETags, the object can be writable: a row is then changed only if nobody else has changed it.

A **default** is an expression for a new record that is added without a value: it can read the other fields, configuration and calc functions. It is computed once and then kept like an entered value.

To rename a field, change its key and add the old key to its former names: reads, writes and filters keep working. A sensitive text is masked everywhere outside the record.`,
  example: {
    fields: [
      { key: 'number', type: 'text', label: 'Number', required: true, unique: true },
      { key: 'tax_date', type: 'date', label: 'Tax date', required: true },
      { key: 'territory', type: 'text', label: 'Territory', required: true },
      { key: 'amount', type: 'number', precision: 14, scale: 2, label: 'Net amount', required: true },
      {
        key: 'tax',
        type: 'number',
        precision: 14,
        scale: 2,
        label: 'Tax',
        formula: { expression: 'amount * config.vat_rate(territory).rate', stored: true },
      },
    ],
    nameField: 'number',
    validationRules: [
      {
        key: 'positive',
        when: 'amount < 0',
        message: 'The amount is negative. Enter a credit note instead.',
        field: 'amount',
      },
    ],
    sharing: { default: 'read' },
    capture: { enabled: true },
  },
}
