// Body of a value set: the values that enum fields draw from.
import { z } from 'zod'
import { nonEmptyText } from '../shapes.ts'

/** The key of a value is data (`EUR`, `DE-BY`), so any characters are allowed, but no spaces at the ends. */
const valueKey = nonEmptyText.refine((text) => text === text.trim(), {
  error: 'Remove the spaces at the start and the end.',
})

export const setValue = z.strictObject({
  key: valueKey,
  label: nonEmptyText,
  active: z.boolean().default(true),
})

export const valueSetBody = z.strictObject({ values: z.array(setValue) })

export type ValueSetBody = z.output<typeof valueSetBody>
