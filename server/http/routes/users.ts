// The permission sets of a person: rights are assigned here, and nowhere in a component (specification 5.4).
import { z } from 'zod'
import { shownUser } from '../../access/index.ts'
import { defineRoute } from '../route.ts'
import { componentKey } from '../schemas/common.ts'

export const assignPermissionSets = defineRoute({
  method: 'put',
  path: '/setup/v3/users/{key}/permission-sets',
  name: 'assignPermissionSets',
  summary: 'The permission sets that a user holds from now on, instead of those until now',
  effect: 'writes',
  permission: 'access.manage',
  params: z.strictObject({ key: z.string().min(1).max(80) }),
  body: z.strictObject({ permissionSets: z.array(componentKey).max(1000) }),
  reply: z
    .object({
      key: z.string(),
      name: z.string(),
      active: z.boolean(),
      locale: z.string().nullable(),
      groups: z.array(z.string()),
      permissionSets: z.array(z.string()),
      password: z.enum(['none', 'set']),
    })
    .meta({ id: 'User' }),
  errors: ['user.not_found', 'request.invalid', 'access.denied'],
  handle: async ({ services, params, body, by }) =>
    shownUser(
      await services.access.changeUser(by, params.key, {
        permissionSets: [...new Set(body.permissionSets)],
      }),
    ),
})
