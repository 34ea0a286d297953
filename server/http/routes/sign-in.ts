// Signs people in with a password: for a session in a browser, or a bearer token for a program.
import type { Request } from 'express'
import { z } from 'zod'
import type { OpenedSession } from '#wire/session.ts'
import type { Actor, ActiveSignIn } from '../../access/index.ts'
import { requirePassword } from '../password-check.ts'
import { linkSessionOf, operatorOf, personSessionOf } from '../request-context.ts'
import { linkCookie, personCookie } from '../session-cookie.ts'
import { openPersonSession } from '../open-person-session.ts'
import { emptyReply } from '../reply.ts'
import { definePublicRoute } from '../route.ts'
import type { Services } from '../services.ts'
import { days, lifetimeOf, mintedToken, mintedTokenView, tokenLabel } from '../schemas/sign-ins.ts'

const credentialFields = { user: z.string().min(1).max(80), password: z.string().min(1).max(1024) }
const budget = { bytes: 16 * 1024 }

export const signInWithPassword = definePublicRoute({
  method: 'post',
  path: '/session/password',
  name: 'signIn',
  summary: 'Sign in with a password; the session is an HttpOnly cookie',
  secrets: ['password'],
  body: z.strictObject(credentialFields),
  budget,
  reply: z.object({
    user: z.object({ key: z.string(), name: z.string() }),
    expiresAt: z.string(),
  }) satisfies z.ZodType<OpenedSession>,
  errors: ['auth.invalid', 'auth.throttled', 'auth.forbidden_origin'],
  async handle({ services, body: { user, password }, raw, correlationId }) {
    await requirePassword(services, raw.request, user, password)
    return openPersonSession(services, raw, { actor: user, correlationId })
  },
})

export const tokenForPassword = definePublicRoute({
  method: 'post',
  path: '/session/token',
  name: 'tokenForPassword',
  summary: 'Create a bearer token with a password, valid for one hour or for the requested number of days',
  secrets: ['password'],
  body: z.strictObject({ ...credentialFields, label: tokenLabel.optional(), days: days.optional() }),
  budget,
  status: 201,
  reply: mintedToken,
  errors: ['auth.invalid', 'auth.throttled', 'auth.forbidden_origin'],
  async handle({ services, body, raw, correlationId }) {
    await requirePassword(services, raw.request, body.user, body.password)
    return mintedTokenView(
      await services.access.issuePersonToken(
        { actor: body.user, correlationId, operatorName: operatorOf(services, raw.request) },
        body.label ?? raw.request.get('User-Agent') ?? '',
        lifetimeOf(body.days),
      ),
    )
  },
})

export const signOut = definePublicRoute({
  method: 'delete',
  path: '/session',
  name: 'signOut',
  summary: 'Sign out: end the session of this browser, or the token of the request',
  status: 204,
  errors: ['auth.forbidden_origin'],
  async handle({ services, raw, correlationId }) {
    const { access, site } = services
    const person = personSessionOf(services, raw.request)
    const isPerson = personCookie.secretOf(site, raw.request) !== undefined
    const link = isPerson ? null : linkSessionOf(services, raw.request)
    const ended = person ?? link ?? bearerPerson(services, raw.request)
    if (ended !== null) await access.endSignIn(actorOf(ended, correlationId), ended.id)
    if (link === null) personCookie.clear(site, raw.response)
    else linkCookie.clear(site, raw.response)
    return emptyReply()
  },
})

function actorOf({ user, operator }: ActiveSignIn, correlationId: string): Actor {
  return { actor: user, correlationId, operatorName: operator ?? undefined }
}

function bearerPerson({ access }: Services, request: Request): ActiveSignIn | null {
  const bearer = /^Bearer +(\S+)$/i.exec(request.headers.authorization ?? '')?.[1]
  return bearer === undefined ? null : access.findActiveSignIn('token', bearer)
}
