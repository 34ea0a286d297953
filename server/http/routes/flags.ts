// Flags with their owners and the days until they expire.
import { z } from 'zod'
import { defineRoute } from '../route.ts'
import { pageQuery } from '../schemas/common.ts'
import { flagList } from '../views/flag-list.ts'

const state = z.enum(['active', 'expiring', 'frozen'])

const row = z.object({
  key: z.string(),
  label: z.string(),
  owner: z.object({ kind: z.enum(['user', 'group']), key: z.string(), name: z.string(), live: z.boolean() }),
  expiresOn: z.string(),
  daysLeft: z.int(),
  state,
  rationale: z.string(),
  scopes: z.array(z.string()),
  default: z.boolean().nullable(),
  entries: z.array(
    z.object({
      entry: z.string(),
      scope: z.looseObject({ kind: z.string() }),
      value: z.boolean(),
      priority: z.int().nullable(),
    }),
  ),
  usages: z.int(),
  edit: z.array(z.string()),
  mayEdit: z.boolean(),
  drafts: z.int(),
})

export const flags = defineRoute({
  method: 'get',
  path: '/setup/v3/flags',
  name: 'listFlags',
  summary: 'List flags by expiry, the earliest first: owner, days left, state, scope entries, who can edit',
  effect: 'reads',
  query: z.strictObject({
    state: state.optional().meta({ description: 'expiring: within thirty days; frozen: past its last day.' }),
    q: z.string().max(200).optional().meta({ description: 'Text in the key or the label.' }),
    owner: z.string().max(200).optional().meta({ description: '`user:mara` or `group:tax`.' }),
    ...pageQuery,
  }),
  reply: z.object({
    flags: z.array(row),
    total: z.int(),
    states: z.object({ active: z.int(), expiring: z.int(), frozen: z.int() }),
    today: z.string(),
    nextCursor: z.string().nullable(),
  }),
  errors: [],
  handle: ({ query, ...request }) => flagList(request, query),
})
