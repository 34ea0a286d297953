// Accepts a one-time link: sets the chosen password and signs the user in.
import { z } from 'zod'
import type { OpenedSession } from '#wire/session.ts'
import { AlmanacError } from '#kernel/errors/almanac-error.ts'
import { openPersonSession } from '../open-person-session.ts'
import { definePublicRoute } from '../route.ts'
import { newPassword } from '../schemas/people.ts'
import { addressOf } from '../site.ts'

export const acceptInvitation = definePublicRoute({
  method: 'post',
  path: '/session/invitation',
  name: 'acceptInvitation',
  summary: 'Set a password through a one-time link; the session is an HttpOnly cookie',
  secrets: ['secret', 'password'],
  body: z.strictObject({ secret: z.string().min(1).max(200), password: newPassword }),
  budget: { bytes: 16 * 1024 },
  reply: z.object({
    user: z.object({ key: z.string(), name: z.string() }),
    expiresAt: z.string(),
  }) satisfies z.ZodType<OpenedSession>,
  errors: ['auth.invalid', 'auth.throttled', 'auth.forbidden_origin', 'request.invalid'],
  async handle({ services, body, raw, correlationId }) {
    const { access, site, throttle } = services
    const address = addressOf(site, raw.request)
    throttle.check(address)
    const { user } = await access
      .acceptInvitation(correlationId, body.secret, body.password)
      .catch((error: unknown) => {
        if (error instanceof AlmanacError && error.code === 'auth.invalid') throttle.recordFailure(address)
        throw error
      })
    return openPersonSession(services, raw, { actor: user, correlationId })
  },
})
