// Help on value sets.
import type { ComponentDoc } from '../define.ts'

export const valueSetDoc: ComponentDoc = {
  summary: 'A value set is a short, fixed list of values that enum fields draw from.',
  text: `Use a value set where a field may hold only one of a few known values: kinds of rates, currencies, states.

To retire a value, make it **inactive**: what holds it keeps it, and nobody can choose it any more. Removing it from the list makes every entry that holds it invalid.`,
  example: {
    values: [
      { key: 'standard', label: 'Standard rate' },
      { key: 'reduced', label: 'Reduced rate' },
      { key: 'parking', label: 'Parking rate', active: false },
    ],
  },
}
