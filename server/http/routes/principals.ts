// Users and groups, for pickers of owners and scopes (HTTP surface).
import { z } from 'zod'
import { defineRoute } from '../route.ts'

export const principals = defineRoute({
  method: 'get',
  path: '/setup/v3/principals',
  name: 'listPrincipals',
  summary: 'Users and groups by key and name',
  effect: 'reads',
  reply: z.object({
    users: z.array(z.object({ key: z.string(), name: z.string(), active: z.boolean() })),
    groups: z.array(z.object({ key: z.string(), name: z.string() })),
  }),
  errors: [],
  handle: ({ services }) =>
    services.store.read((reader) => ({
      users: reader.users().map(({ key, name, active }) => ({ key, name, active })),
      groups: reader.groups().map(({ key, name }) => ({ key, name })),
    })),
})
