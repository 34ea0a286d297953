// Why a call or a delivery has failed, or waits.
import { z } from 'zod'

export const outboxProblem = z
  .object({
    ...{ code: z.string(), class: z.string(), title: z.string(), detail: z.string() },
    ...{ origin: z.string(), retriable: z.boolean() },
    since: z.string().optional().meta({
      description: 'Since when the call waits because it cannot be authenticated.',
    }),
  })
  .meta({ id: 'OutboxProblem' })
