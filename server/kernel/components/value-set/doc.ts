// Help on value sets.
import type { ComponentDoc } from '../define.ts'

export const valueSetDoc: ComponentDoc = {
  summary: 'A value set is a short, fixed list of values that enum fields draw from.',
  text: `Use a value set if a field can only have one of a few known values: kinds of rates, currencies, states.

To retire a value, make it **inactive**: existing entries and records keep it, but it can no longer be chosen. If you remove it from the list, every entry with this value becomes invalid. Records keep it, and refuse a save that sends it again. The plan counts the records that have it.`,
  example: {
    values: [
      { key: 'standard', label: 'Standard rate' },
      { key: 'reduced', label: 'Reduced rate' },
      { key: 'parking', label: 'Parking rate', active: false },
    ],
  },
}
