// The current user; sign-ins of people, listed and ended; their tokens and passwords.
import { z } from 'zod'
import { systemPermissions } from '#kernel/components/permission-set/system-permissions.ts'
import { AlmanacError } from '#kernel/errors/almanac-error.ts'
import type { SessionView, SignInView } from '#wire/session.ts'
import { hasPermission } from '../../access/index.ts'
import { requirePassword } from '../password-check.ts'
import { emptyReply } from '../reply.ts'
import { defineRoute } from '../route.ts'
import {
  days,
  lifetimeOf,
  mintedToken,
  mintedTokenView,
  sessionView,
  signInKind,
  signInView,
  tokenLabel,
} from '../schemas/sign-ins.ts'

export const whoAmI = defineRoute({
  method: 'get',
  path: '/setup/v3/session',
  name: 'describeSession',
  summary: 'Get the current user, how they signed in, and their system permissions',
  effect: 'reads',
  reply: sessionView,
  errors: [],
  handle: ({ services, access, identity }): SessionView =>
    services.store.read((reader) => {
      const { name, environment } = reader.properties.get()
      const user = reader.people.user(access.user)
      const { through, client, signIn, expiresAt } = identity
      return {
        user: { key: access.user, name: user?.name ?? access.user, locale: user?.locale ?? null },
        through,
        client,
        signIn,
        expiresAt,
        permissions: systemPermissions.filter((permission) => hasPermission(access, permission)),
        password: user?.passwordHash != null,
        org: { name, environment },
      }
    }),
})

export const signIns = defineRoute({
  method: 'get',
  path: '/setup/v3/sign-ins',
  name: 'listSignIns',
  summary: 'List your own sessions and tokens; with access.manage, those of a user or of all users (user=*)',
  effect: 'reads',
  query: z.strictObject({ user: z.string().optional() }),
  reply: z.object({ signIns: z.array(signInView) }),
  errors: [],
  handle: ({ services, query, access, identity }) => {
    const { user = access.user } = query
    const rows = services.access.signIns(access, user === '*' ? null : user)
    return {
      signIns: rows.map(({ hash: _hash, serverStart: _start, ...row }): SignInView => ({
        ...row,
        current: row.id === identity.signIn,
      })),
    }
  },
})

export const endSignIn = defineRoute({
  method: 'delete',
  path: '/setup/v3/sign-ins/{id}',
  name: 'endSignIn',
  summary: 'End a session or a token: your own, or with access.manage one of any user',
  effect: 'writes',
  params: z.strictObject({ id: z.string().max(80) }),
  status: 204,
  errors: ['sign_in.not_found'],
  handle: async ({ services, params, by }) => {
    if (await services.access.endSignIn(by, params.id)) return emptyReply()
    throw new AlmanacError('sign_in.not_found', 'This sign-in does not exist. It may have expired.')
  },
})

export const endSignIns = defineRoute({
  method: 'delete',
  path: '/setup/v3/sign-ins',
  name: 'endSignIns',
  summary:
    'End all sessions and tokens of a user, or one kind of them: your own, or with access.manage those of any user',
  effect: 'writes',
  query: z.strictObject({ user: z.string().max(80).optional(), kind: signInKind.optional() }),
  reply: z.object({ ended: z.int() }),
  errors: ['user.not_found'],
  handle: async ({ services, query, by }) => ({
    ended: await services.access.endSignInsOf(by, query.user ?? by.actor, query.kind),
  }),
})

export const mintToken = defineRoute({
  method: 'post',
  path: '/setup/v3/tokens',
  name: 'mintToken',
  summary:
    'Create a bearer token for yourself; it is shown once and valid for one hour or for the requested number of days',
  effect: 'writes',
  person: true,
  body: z.strictObject({ label: tokenLabel, days: days.optional() }),
  status: 201,
  reply: mintedToken,
  errors: [],
  handle: async ({ services, body, by }) => {
    return mintedTokenView(await services.access.issuePersonToken(by, body.label, lifetimeOf(body.days)))
  },
})

export const changePassword = defineRoute({
  method: 'put',
  path: '/setup/v3/password',
  name: 'changePassword',
  summary: 'Change your own password; all your other sessions and tokens end',
  effect: 'writes',
  person: true,
  secrets: ['current', 'password'],
  body: z.strictObject({ current: z.string().max(1024), password: z.string().max(1024) }),
  budget: { bytes: 16 * 1024 },
  status: 204,
  errors: ['auth.throttled', 'request.invalid'],
  handle: async ({ services, body, by, identity, raw }) => {
    // If no password is set yet, the caller can only be the administrator of this machine.
    const has = services.store.read((reader) => reader.people.user(by.actor)?.passwordHash) != null
    if (has) await requirePassword(services, raw.request, by.actor, body.current)
    await services.access.setPassword(by, by.actor, body.password, identity.signIn ?? undefined)
    return emptyReply()
  },
})
