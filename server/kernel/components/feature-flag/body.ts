// Body of a feature flag: a boolean switch with an owner and an expiry (docs/reference/resolution-and-dates.md).
import { z } from 'zod'
import { civilDate, editGrants, readGrants, scopeChain } from '../shapes.ts'

/** Users and groups are runtime state; their keys allow more characters than those of components. */
const principalKey = z
  .string()
  .regex(/^[^\s:]+$/, { error: 'The key of a user or group cannot contain spaces or colons.' })
const user = z.strictObject({ user: principalKey })
const group = z.strictObject({ group: principalKey })

/** `{ "user": "mara" }`, `{ "group": "tax" }`, or the short forms "user:mara" and "group:tax". */
export const flagOwner = z
  .union([user, group, z.string().regex(/^(user|group):[^\s:]+$/)], {
    error: 'Choose a user or a group, such as user:mara or group:tax.',
  })
  .transform((owner): FlagOwner => (typeof owner === 'string' ? expandOwner(owner) : owner))

export type FlagOwner = z.output<typeof user> | z.output<typeof group>

function expandOwner(short: string): FlagOwner {
  const [kind, name = ''] = short.split(':')
  return kind === 'user' ? { user: name } : { group: name }
}

export const featureFlagBody = z.strictObject({
  owner: flagOwner,
  /** The last day of the flag; it is frozen from the next day. */
  expiresOn: civilDate,
  rationale: z.string().optional(),
  scopes: scopeChain,
  default: z.boolean().default(false),
  read: readGrants,
  edit: editGrants,
})

export type FeatureFlagBody = z.output<typeof featureFlagBody>
