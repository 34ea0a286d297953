// Help on configuration entries.
import type { ComponentDoc } from '../define.ts'

export const configEntryDoc: ComponentDoc = {
  summary: 'A configuration entry is one row of a configuration set, at one scope, over one range of dates.',
  text: `An entry gives the **whole row**: if it matches, no value comes from another entry.

Dates are half-open: effectiveFrom is the first day on which the row applies, effectiveTo the first day on which it no longer applies. So a row that ends on 1 January and the next row that starts on 1 January meet without a gap. The last entry at org must be open-ended. At a narrower scope, the last entry can end; from then on, the next wider scope applies.

Numbers are written as decimal strings ("0.19"), so that they stay exact. A date in the future has no effect until that day.

The key is the set's key, a dot, and a slug of your choice: vat_rate.de_2021. An entry of a **flag** has no dates; its values are { "value": true } or { "value": false }.`,
  example: {
    set: 'vat_rate',
    key: 'DE',
    scope: { kind: 'org' },
    effectiveFrom: '2021-01-01',
    effectiveTo: null,
    values: { rate: '0.1900', kind: 'standard' },
  },
}
