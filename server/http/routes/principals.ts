// Users and groups, for pickers of owners and scopes.
import { z } from 'zod'
import type { PrincipalsView } from '#wire/index.ts'
import { defineRoute } from '../route.ts'

const principal = { key: z.string(), name: z.string() }

export const principals = defineRoute({
  method: 'get',
  path: '/setup/v3/principals',
  name: 'listPrincipals',
  summary: 'List users and groups by key and name, optionally only those that begin with the given text',
  effect: 'reads',
  query: z.strictObject({
    q: z
      .string()
      .max(200)
      .optional()
      .meta({ description: 'The beginning of a key or of a word in a name; best matches first.' }),
    live: z
      .enum(['true', 'false'])
      .optional()
      .meta({ description: 'Only users and groups that can own a flag.' }),
    limit: z
      .string()
      .regex(/^[1-9]\d{0,3}$/, { error: 'limit must be between 1 and 9999.' })
      .transform(Number)
      .optional()
      .meta({ description: 'Maximum number of users, and of groups; default all.' }),
  }),
  reply: z.object({
    users: z.array(z.object({ ...principal, active: z.boolean() })),
    groups: z.array(z.object(principal)),
    total: z.object({ users: z.int(), groups: z.int() }),
  }),
  errors: [],
  handle: ({ services, query: { q, live, limit = Infinity } }): PrincipalsView =>
    services.store.read((reader) => {
      const users = reader.people
        .users()
        .filter(({ active }) => live !== 'true' || active)
        .map(({ key, name, active }) => ({ key, name, active }))
      const groups = reader.people.groups().map(({ key, name }) => ({ key, name }))
      const [some, others] = [matchPrincipals(users, q), matchPrincipals(groups, q)]
      return {
        users: some.slice(0, limit),
        groups: others.slice(0, limit),
        total: { users: some.length, groups: others.length },
      }
    }),
})

/** Returns those that begin with the text: by key first, then by name, then by another word of the name. */
function matchPrincipals<P extends { key: string; name: string }>(
  all: readonly P[],
  q: string | undefined,
): P[] {
  if (q === undefined || q.trim() === '') return [...all]
  const prefix = foldText(q.trim())
  const rank = ({ key, name }: P): number => {
    if (foldText(key).startsWith(prefix)) return 0
    if (foldText(name).startsWith(prefix)) return 1
    return foldText(name)
      .split(/[^\p{L}\p{N}]+/u)
      .some((word) => word.startsWith(prefix))
      ? 2
      : 3
  }
  return all
    .map((each) => ({ each, at: rank(each) }))
    .filter(({ at }) => at < 3)
    .sort((a, b) => a.at - b.at || (a.each.key < b.each.key ? -1 : 1))
    .map(({ each }) => each)
}

/** Ignores case and diacritics: "Zoë" begins with "zo". */
function foldText(text: string): string {
  return text.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase()
}
