// Body of a value set: the values that enum fields draw from (completions 1).
import { z } from 'zod'
import { words } from '../shapes.ts'

/** A value's key is data (`EUR`, `DE-BY`), so its alphabet is free; it has no space at either end. */
const valueKey = words.refine((text) => text === text.trim(), { error: 'Leave out the spaces at the ends.' })

export const setValue = z.strictObject({
  key: valueKey,
  label: words,
  active: z.boolean().default(true),
})

export const valueSetBody = z.strictObject({ values: z.array(setValue) })

export type ValueSetBody = z.output<typeof valueSetBody>
