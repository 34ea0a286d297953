// Users: their permission sets, passwords and one-time links. Rights are assigned here and never in a component.
import { z } from 'zod'
import { AlmanacError } from '#kernel/errors/almanac-error.ts'
import type { UserView } from '#wire/people.ts'
import { openInvitations, peopleView, userView } from '../../access/index.ts'
import type { UserRow } from '../../ports/people.ts'
import { requirePerson } from '../request-context.ts'
import type { Identity } from '../identity.ts'
import { emptyReply } from '../reply.ts'
import { defineRoute } from '../route.ts'
import {
  assignedKeys,
  groupKeys,
  invitationSchema,
  newPassword,
  openInvitation,
  peopleSchema,
  principalKey,
  principalName,
  seenVersion,
  userSchema,
} from '../schemas/people.ts'
import type { Services } from '../services.ts'

const params = z.strictObject({ key: principalKey })
const budget = { bytes: 64 * 1024 }
const locale = z.string().max(100).nullable()

const viewOf = ({ store, org }: Services, row: UserRow): UserView =>
  store.read((reader) => userView(reader, row, org.clock.now()))

export const people = defineRoute({
  method: 'get',
  path: '/setup/v3/users',
  name: 'listUsers',
  summary: 'List users and groups with their assignments, and the permission sets that can be assigned',
  effect: 'reads',
  permission: 'access.manage',
  reply: peopleSchema,
  errors: ['access.denied'],
  handle: ({ services: { store, org } }) => store.read((reader) => peopleView(reader, org.clock.now())),
})

export const addUser = defineRoute({
  method: 'post',
  path: '/setup/v3/users',
  name: 'addUser',
  summary: 'Add a user; without a password they cannot sign in. A bearer token cannot set a password',
  effect: 'writes',
  permission: 'access.manage',
  secrets: ['password'],
  body: z.strictObject({
    key: principalKey,
    name: principalName,
    locale: locale.optional(),
    groups: groupKeys.optional(),
    permissionSets: assignedKeys.optional(),
    password: newPassword.optional(),
  }),
  budget,
  status: 201,
  reply: userSchema,
  errors: ['conflict.exists', 'request.invalid', 'access.denied'],
  handle: async ({ services, body, by, identity }) => {
    if (body.password !== undefined) requirePerson(identity, 'set the password of a user')
    return viewOf(services, await services.access.addUser(by, body))
  },
})

export const changeUser = defineRoute({
  method: 'put',
  path: '/setup/v3/users/{key}',
  name: 'changeUser',
  summary: 'Update a user; omitted properties are unchanged',
  effect: 'writes',
  permission: 'access.manage',
  params,
  body: z.strictObject({
    version: seenVersion,
    name: principalName.optional(),
    active: z.boolean().optional(),
    locale: locale.optional(),
    groups: groupKeys.optional(),
    permissionSets: assignedKeys.optional(),
  }),
  budget,
  reply: userSchema,
  errors: ['user.not_found', 'conflict.stale_principal', 'request.invalid', 'access.denied'],
  handle: async ({ services, params: { key }, body: { version, ...change }, by }) =>
    viewOf(services, await services.access.changeUser(by, key, change, version)),
})

export const assignPermissionSets = defineRoute({
  method: 'put',
  path: '/setup/v3/users/{key}/permission-sets',
  name: 'assignPermissionSets',
  summary: 'Replace the permission sets of a user',
  effect: 'writes',
  permission: 'access.manage',
  params,
  body: z.strictObject({ permissionSets: assignedKeys }),
  reply: userSchema,
  errors: ['user.not_found', 'request.invalid', 'access.denied'],
  handle: async ({ services, params, body, by }) => {
    const permissionSets = [...new Set(body.permissionSets)]
    return viewOf(services, await services.access.changeUser(by, params.key, { permissionSets }))
  },
})

export const setUserPassword = defineRoute({
  method: 'put',
  path: '/setup/v3/users/{key}/password',
  name: 'setUserPassword',
  summary: 'Set the password of a user; their sessions and tokens end',
  effect: 'writes',
  person: true,
  permission: 'access.manage',
  params,
  secrets: ['password'],
  body: z.strictObject({ password: newPassword }),
  budget,
  status: 204,
  errors: ['user.not_found', 'request.invalid', 'access.denied'],
  handle: async ({ services, params, body, by, identity }) => {
    requireOtherUser(params.key, by.actor, identity)
    await services.access.setPassword(by, params.key, body.password, identity.signIn ?? undefined)
    return emptyReply()
  },
})

export const viewAsUser = defineRoute({
  method: 'post',
  path: '/setup/v3/users/{key}/view-as',
  name: 'viewAsUser',
  summary: 'Note in the audit that you view as the user: reads with X-View-As follow',
  effect: 'writes',
  person: true,
  permission: 'access.manage',
  params,
  status: 204,
  errors: ['user.not_found', 'access.denied'],
  handle: async ({ services, params, by }) => {
    await services.access.viewAs(by, params.key)
    return emptyReply()
  },
})

export const inviteUser = defineRoute({
  method: 'post',
  path: '/setup/v3/users/{key}/invitation',
  name: 'inviteUser',
  summary: 'Create a one-time link that lets the user choose a password; it replaces an earlier link',
  effect: 'writes',
  person: true,
  permission: 'access.manage',
  params,
  status: 201,
  reply: invitationSchema,
  errors: ['user.not_found', 'request.invalid', 'access.denied'],
  handle: ({ services, params, by, identity }) => {
    requireOtherUser(params.key, by.actor, identity)
    return services.access.invite(by, params.key)
  },
})

export const listInvitations = defineRoute({
  method: 'get',
  path: '/setup/v3/invitations',
  name: 'listInvitations',
  summary: 'List the one-time links that are still valid, without their secrets',
  effect: 'reads',
  permission: 'access.manage',
  reply: z.object({ invitations: z.array(openInvitation.extend({ user: z.string() })) }),
  errors: ['access.denied'],
  handle: ({ services: { store, org } }) => ({
    invitations: store.read((reader) => openInvitations(reader, org.clock.now())),
  }),
})

export const withdrawInvitation = defineRoute({
  method: 'delete',
  path: '/setup/v3/users/{key}/invitation',
  name: 'withdrawInvitation',
  summary: 'End the one-time link of a user',
  effect: 'writes',
  permission: 'access.manage',
  params,
  status: 204,
  errors: ['invitation.not_found', 'access.denied'],
  handle: async ({ services, params, by }) => {
    await services.access.withdrawInvitation(by, params.key)
    return emptyReply()
  },
})

/** A stolen token or session must not set a password: changing your own needs the current one. @throws AlmanacError */
function requireOtherUser(key: string, actor: string, { through }: Identity): void {
  if (key !== actor || through === 'link') return
  throw new AlmanacError(
    'access.denied',
    'This endpoint changes the passwords of other users. Change your own in Settings, with your current password.',
  )
}
