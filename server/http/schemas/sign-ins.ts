// Shapes of sessions and of tokens of people.
import { z } from 'zod'
import type { MintedToken, SessionView, SignInView } from '#wire/session.ts'
import type { IssuedSignIn } from '../../access/index.ts'
import { operator } from './common.ts'

const maxDays = 366

export const tokenLabel = z.string().min(1).max(200).meta({ description: 'Name given by its owner.' })
export const days = z
  .int()
  .min(1)
  .max(maxDays)
  .meta({ description: `Lifetime in days, 1 to ${maxDays}; default one hour.` })

/** Returns milliseconds; undefined for the default of one hour. */
export function lifetimeOf(days: number | undefined): number | undefined {
  return days === undefined ? undefined : days * 24 * 60 * 60 * 1000
}

export const mintedToken = z
  .object({ id: z.string(), token: z.string(), user: z.string(), expiresAt: z.string() })
  .meta({ id: 'MintedToken' }) satisfies z.ZodType<MintedToken>

export function mintedTokenView({ id, secret, user, expiresAt }: IssuedSignIn): MintedToken {
  return { id, token: secret, user, expiresAt }
}

export const signInKind = z.enum(['session', 'token'])

export const signInView = z
  .object({
    id: z.string(),
    kind: signInKind,
    user: z.string(),
    label: z.string(),
    createdAt: z.string(),
    usedAt: z.string(),
    expiresAt: z.string(),
    operator: operator.nullable(),
    current: z.boolean(),
  })
  .meta({ id: 'SignIn' }) satisfies z.ZodType<SignInView>

export const sessionView = z
  .object({
    user: z.object({ key: z.string(), name: z.string(), locale: z.string().nullable() }),
    through: z.enum(['link', 'password', 'token', 'client']),
    client: z.string().nullable(),
    signIn: z.string().nullable(),
    expiresAt: z.string().nullable(),
    permissions: z.array(z.string()),
    password: z.boolean(),
    org: z.object({ name: z.string(), environment: z.string() }),
  })
  .meta({ id: 'Session' }) satisfies z.ZodType<SessionView>
