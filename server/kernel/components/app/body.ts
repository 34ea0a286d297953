// Body of an app: its objects, pages and guided flows.
import { z } from 'zod'
import { section } from '../placement.ts'
import { key, integerBetween, nonEmptyText } from '../shapes.ts'

export const page = z.strictObject({ key, label: nonEmptyText, sections: z.array(section).default([]) })

export const step = z.strictObject({ key, label: nonEmptyText, sections: z.array(section).default([]) })

export const flow = z.strictObject({
  key,
  label: nonEmptyText,
  /** The object of the record that the flow adds. */
  object: key,
  steps: z.array(step).default([]),
})

export const appBody = z.strictObject({
  /** Shown in the header instead of the label of the component. */
  label: nonEmptyText.optional(),
  /** Objects in the order of the navigation. */
  objects: z.array(key).default([]),
  pages: z.array(page).default([]),
  flows: z.array(flow).default([]),
  order: integerBetween(0, 1_000_000).default(0),
})

export type AppBody = z.output<typeof appBody>
