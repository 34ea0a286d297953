// Adds up the parts of the impact on records.
import type { RecordFieldImpact, RecordsImpact } from './impact-view.ts'

/** Records of each field that are named. */
export const mostNamed = 20

/** @param sum of the parts before; null for none */
export function addPart(sum: RecordsImpact | null, part: RecordsImpact): RecordsImpact {
  if (sum === null) return part
  const fields = new Map(sum.fields.map((field) => [nameOf(field), field]))
  for (const field of part.fields) {
    const known = fields.get(nameOf(field))
    const items = known === undefined ? field.items : [...known.items, ...field.items].slice(0, mostNamed)
    fields.set(nameOf(field), { ...field, items, changed: (known?.changed ?? 0) + field.changed })
  }
  return {
    ...part,
    fields: [...fields.values()],
    looked: sum.looked + part.looked,
    hidden: sum.hidden + part.hidden,
    unfollowed: sum.unfollowed + part.unfollowed,
  }
}

const nameOf = ({ object, field }: RecordFieldImpact): string => `${object}.${field}`
