// Consents of users, as routes return them.
import { z } from 'zod'
import type { UserConsent } from '#wire/consents.ts'

const consentAttempt = z.object({
  id: z.string(),
  state: z.enum(['waiting', 'exchanging', 'granted', 'refused']),
  at: z.string(),
  reason: z.string().nullable(),
})

export const accountState = z.enum(['connected', 'paused', 'consent_required', 'not_ready']).meta({
  description: 'paused: the last request for a token failed. not_ready: the client has no secrets yet.',
})

export const lastAttempt = consentAttempt
  .nullable()
  .meta({ description: 'The last consent that was asked for, for a day.' })

export const userConsent = z
  .object({
    ...{ principal: z.string(), user: z.string(), state: accountState, last: lastAttempt },
    isGranted: z.boolean().meta({ description: 'Otherwise the account is not used.' }),
  })
  .meta({ id: 'UserConsent' }) satisfies z.ZodType<UserConsent>
