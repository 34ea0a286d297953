// What a user can do, and why.
import { z } from 'zod'
import { AlmanacError } from '#kernel/errors/almanac-error.ts'
import { accessReport, effectiveAccess, explainAccess, type EffectiveAccess } from '../../access/index.ts'
import type { AccessView } from '#wire/people.ts'
import { defineRoute } from '../route.ts'
import { componentId } from '../schemas/common.ts'
import { accessReportSchema, principalKey } from '../schemas/people.ts'

const effective = z.object({
  user: z.string(),
  permissionSets: z.array(z.string()),
  system: z.array(z.string()),
  readSets: z.array(z.string()),
  editSets: z.array(z.string()),
  objects: z.unknown(),
  fields: z.unknown(),
  platformRoot: z.boolean(),
})

export const myAccess = defineRoute({
  method: 'get',
  path: '/setup/v3/access/me',
  name: 'myAccess',
  summary: 'Get your effective access',
  effect: 'reads',
  reply: effective,
  errors: [],
  handle: ({ access }) => inJson(access),
})

export const accessExplanation = defineRoute({
  method: 'get',
  path: '/setup/v3/access/explain',
  name: 'explainAccess',
  summary:
    'Explain why a user can or cannot see and change a component; about other users with access.manage',
  effect: 'reads',
  query: z.strictObject({ user: z.string().optional(), component: componentId }),
  reply: z.looseObject({ user: z.string(), component: z.string(), rights: z.array(z.unknown()) }),
  errors: ['component.not_found', 'user.not_found'],
  handle: ({ services, query, snapshot, access }) => {
    const { user = access.user, component } = query
    const subjectAccess =
      user === access.user
        ? access
        : services.store.read((reader) => effectiveAccess(reader, user, snapshot.view))
    const explained = explainAccess(access, subjectAccess, component, snapshot.view)
    if (explained !== null) return explained
    throw new AlmanacError('component.not_found', `${component} does not exist, or ${user} cannot see it.`)
  },
})

export const userAccess = defineRoute({
  method: 'get',
  path: '/setup/v3/users/{key}/access',
  name: 'describeAccess',
  summary: 'Get what a user can see and do, and through which permission sets and groups',
  effect: 'reads',
  params: z.strictObject({ key: principalKey }),
  reply: accessReportSchema,
  errors: ['user.not_found', 'access.denied'],
  handle: ({ services, params, snapshot, access }) =>
    services.store.read((reader) => accessReport(access, reader, params.key, snapshot.view)),
})

function inJson({ system, readSets, editSets, ...access }: EffectiveAccess): AccessView {
  return {
    ...access,
    system: [...system].sort(),
    readSets: [...readSets].sort(),
    editSets: [...editSets].sort(),
  }
}
