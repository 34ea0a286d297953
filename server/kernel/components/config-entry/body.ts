// Body of a configuration entry: one row of a set at one scope over one range of dates (specification 2.4).
import { z } from 'zod'
import { civilDate, key, scope, whole } from '../shapes.ts'

/** Numbers are decimal strings, so that no binary float ever holds a rate; an absent value is left out. */
const value = z.union([z.string(), z.boolean(), z.null()], {
  error: ({ input }) =>
    typeof input === 'number'
      ? `${input} is a JSON number. Write true or false if the field is boolean, and anything else as text: ` +
        `a number as "${input}", so that it stays exact, a date as "2025-12-31", an enum by the key of its value.`
      : 'A value is text, also for a number, a date or an enum, or it is true or false.',
})

/** Its properties stand in canonical order, so that what is parsed is digested as it is. */
export const configEntryBody = z
  .strictObject({
    /** First day that counts. */
    effectiveFrom: civilDate.optional(),
    /** First day that no longer counts; null is open-ended (completions 2: half-open). */
    effectiveTo: civilDate.nullable().optional(),
    /** Text after parsing, whatever JSON held; its normal form follows `keyedBy.type`. */
    key: z
      .union([z.string(), z.number(), z.boolean()])
      .transform((business) => String(business))
      .optional(),
    priority: whole(-1_000_000, 1_000_000).optional(),
    scope,
    set: key,
    values: z.record(z.string(), value),
  })
  .transform(withEnd)

/** A dated entry always says its end, so that "absent" and "null" have one digest. */
function withEnd<B extends { effectiveFrom?: unknown; effectiveTo?: unknown }>(body: B): B {
  if (body.effectiveFrom !== undefined)
    return body.effectiveTo === undefined ? { ...body, effectiveTo: null } : body
  if (body.effectiveTo !== null) return body
  const { effectiveTo: _openEnded, ...undated } = body
  return undated as B
}

export type ConfigEntryBody = z.output<typeof configEntryBody>
