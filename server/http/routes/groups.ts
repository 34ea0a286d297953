// Groups of users: their names, and the permission sets that all members have.
import { z } from 'zod'
import { groupView } from '../../access/index.ts'
import { defineRoute } from '../route.ts'
import { assignedKeys, groupSchema, principalKey, principalName, seenVersion } from '../schemas/people.ts'

export const putGroup = defineRoute({
  method: 'put',
  path: '/setup/v3/groups/{key}',
  name: 'putGroup',
  summary: 'Create or update a group and the permission sets of its members',
  effect: 'writes',
  permission: 'access.manage',
  params: z.strictObject({ key: principalKey }),
  body: z.strictObject({
    version: seenVersion
      .nullable()
      .meta({ description: 'The version that the caller saw; null adds a group.' }),
    name: principalName,
    permissionSets: assignedKeys,
  }),
  reply: groupSchema,
  errors: [
    'group.not_found',
    'conflict.exists',
    'conflict.stale_principal',
    'request.invalid',
    'access.denied',
  ],
  handle: async ({ services, params: { key }, body: { version, ...group }, by }) =>
    groupView(await services.access.putGroup(by, { key, ...group }, version)),
})

export const deleteGroup = defineRoute({
  method: 'delete',
  path: '/setup/v3/groups/{key}',
  name: 'deleteGroup',
  summary: 'Delete a group; its members lose the permission sets that they have only through it',
  effect: 'writes',
  permission: 'access.manage',
  params: z.strictObject({ key: principalKey }),
  query: z.strictObject({ version: seenVersion }),
  reply: z.object({ members: z.array(z.string()) }),
  errors: ['group.not_found', 'conflict.stale_principal', 'request.invalid', 'access.denied'],
  handle: async ({ services, params: { key }, query: { version }, by }) => ({
    members: await services.access.deleteGroup(by, key, version),
  }),
})
