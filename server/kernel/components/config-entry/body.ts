// Body of a configuration entry: one row of a set at one scope over one range of dates
// (docs/reference/resolution-and-dates.md).
import { z } from 'zod'
import { civilDate, key, scope, integerBetween } from '../shapes.ts'

/** Numbers are decimal strings, so that a rate is never a binary float; absent values are omitted. */
const value = z.union([z.string(), z.boolean(), z.null()], {
  error: ({ input }) =>
    typeof input === 'number'
      ? `${input} is a JSON number. Write true or false if the field is boolean, and anything else as text: ` +
        `a number as "${input}", so that it stays exact, a date as "2025-12-31", an enum by the key of its value.`
      : 'A value must be text (also for a number, a date or an enum), or true or false.',
})

/** Help in JSON, where the end is the first day that is not included; the form shows the last day that is. */
const openEnd = 'The first day on which the row no longer applies. null for no end.'

/** The properties are in canonical order, so that a parsed body is digested without sorting. */
export const configEntryBody = z
  .strictObject({
    /** The first day on which the entry is effective. */
    effectiveFrom: civilDate.optional(),
    /** The first day on which it is no longer effective; null is open-ended (half-open; docs/reference/resolution-and-dates.md). */
    effectiveTo: civilDate.nullable().meta({ title: 'End', description: openEnd }).optional(),
    /** Text after parsing, whether JSON had text, a number or a boolean; its normal form depends on `keyedBy.type`. */
    key: z
      .union([z.string(), z.number(), z.boolean()])
      .transform((business) => String(business))
      .optional(),
    priority: integerBetween(-1_000_000, 1_000_000).optional(),
    scope,
    set: key,
    values: z.record(z.string(), value),
  })
  .transform(withEnd)

/** Gives every dated entry an explicit end, so that "absent" and "null" have one digest. */
function withEnd<B extends { effectiveFrom?: unknown; effectiveTo?: unknown }>(body: B): B {
  if (body.effectiveFrom !== undefined)
    return body.effectiveTo === undefined ? { ...body, effectiveTo: null } : body
  if (body.effectiveTo !== null) return body
  const { effectiveTo: _openEnded, ...undated } = body
  return undated as B
}

export type ConfigEntryBody = z.output<typeof configEntryBody>
