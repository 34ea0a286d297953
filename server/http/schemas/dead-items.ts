// What requests about dead items have in common: calls of the outbox, and deliveries to webhook endpoints.
import { z } from 'zod'

/** Of the discard of one item. */
export const discardBody = z.strictObject({ reason: z.string().trim().min(1).max(1000) })

/** Members of a request about all dead items of a filter. */
export const handlingMembers = {
  reason: z
    .string()
    .trim()
    .max(1000)
    .default('')
    .meta({ description: 'For the audit; required for a discard.' }),
  dryRun: z.boolean().default(false).meta({ description: 'Only counts.' }),
}

/** Members of its response. */
export const handledMembers = {
  unrepeatable: z
    .int()
    .meta({ description: 'Of these, the ones that are requeued only with "acceptRepeat": true.' }),
  job: z.string().nullable().meta({ description: 'Its progress is at /setup/v3/jobs/{id}.' }),
}
