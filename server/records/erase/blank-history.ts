// Replaces erased values, and what was computed from them, in the history of records.
import { createHmac, randomBytes } from 'node:crypto'
import type { FieldValue } from '#kernel/components/field-types.ts'
import { erasedText, isErased, type FieldId } from '#kernel/records/index.ts'
import type { RecordErasures } from '../../ports/record-erasures.ts'
import type { RecordChange } from '../../ports/record-store.ts'
import type { DerivedPlace } from './derived-places.ts'

/** The text in place of a value. */
export type HashValue = (value: string) => string

/** The salt ends with the erasure, so that nobody can find a value by hashing candidates. */
export function saltedHash(): HashValue {
  const salt = randomBytes(32)
  return (value) =>
    isErased(value) ? value : erasedText(createHmac('sha256', salt).update(value).digest('base64url'))
}

export interface BlankedHistory {
  /** The records with such values. */
  records: Set<string>
  /** How many changes of records were replaced. */
  changes: number
  /** For each record, the fields that are computed from the erased values, or were. */
  fields: Map<string, Set<FieldId>>
  /** The texts that were replaced. */
  texts: Set<string>
}

/** @param id the record that is erased */
export async function blankHistory(
  tx: RecordErasures,
  id: string,
  places: readonly DerivedPlace[],
  hash: HashValue,
): Promise<BlankedHistory> {
  const blanked: BlankedHistory = { records: new Set([id]), changes: 0, fields: new Map(), texts: new Set() }
  for (const place of places) {
    const { targets, records } = await recordsOf(tx, id, place)
    for (const record of records) {
      blanked.records.add(record)
      const fields = blanked.fields.get(record) ?? []
      blanked.fields.set(record, new Set([...fields, ...place.fields.keys()]))
      const rewrite = blanking(place, targets, (value, isText) => {
        if (typeof value !== 'string' || isErased(value)) return value
        if (!isText) return null
        blanked.texts.add(value)
        return hash(value)
      })
      blanked.changes += await tx.rewriteHistory(place.object, record, rewrite)
    }
  }
  return blanked
}

export interface PlaceRecords {
  /** The records to which the first reference of the chain must lead; null for the record itself. */
  targets: ReadonlySet<FieldValue> | null
  records: readonly string[]
}

/** The records from which the chain of a place leads, or ever led, to a record. */
export async function recordsOf(
  tx: RecordErasures,
  id: string,
  { chain }: DerivedPlace,
): Promise<PlaceRecords> {
  let [targets, records]: string[][] = [[], [id]]
  for (const { object, reference } of chain.toReversed()) {
    targets = records!
    records = await tx.referredEver(object, reference, targets)
  }
  return { targets: chain.length === 0 ? null : new Set(targets), records: records! }
}

/** Follows the reference through the changes: a value from the time when it led elsewhere stays. */
function blanking(
  { chain: [first], fields: blankedFields }: DerivedPlace,
  targets: PlaceRecords['targets'],
  blank: (value: FieldValue, isText: boolean) => FieldValue,
): (change: RecordChange) => RecordChange['fields'] {
  let target: FieldValue = null
  return ({ fields }) => {
    const before = target
    const moved = fields.find(({ field }) => field === first?.reference)
    if (moved !== undefined) target = moved.after
    const isOf = (each: FieldValue): boolean => targets === null || targets.has(each)
    return fields.map((each) => {
      const isText = blankedFields.get(each.field)
      if (isText === undefined) return each
      return {
        field: each.field,
        before: isOf(before) ? blank(each.before, isText) : each.before,
        after: isOf(target) ? blank(each.after, isText) : each.after,
      }
    })
  }
}
