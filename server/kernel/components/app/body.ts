// Body of an app: its objects, pages and guided flows.
import { z } from 'zod'
import { section } from '../placement.ts'
import { key, integerBetween, nonEmptyText } from '../shapes.ts'

export const page = z.strictObject({ key, label: nonEmptyText, sections: z.array(section).default([]) })

/** A call of an operation over the draft record, once the step is complete. */
const stepCall = z.strictObject({
  operation: key,
  /** Parameter → the field with its value. */
  args: z.record(key, key).default({}),
  /** Returned value → the field that it fills. */
  into: z.record(key, key).default({}),
  /** The date field with the as-of date, for an operation that reads a dated set. */
  asOf: key.optional(),
})
export type StepCall = z.output<typeof stepCall>

export const step = z.strictObject({
  ...{ key, label: nonEmptyText, sections: z.array(section).default([]) },
  invoke: stepCall.optional(),
})

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
