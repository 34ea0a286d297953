// Body of a feature flag: a boolean switch with an owner and an expiry (specification 2.5; completions 1).
import { z } from 'zod'
import { civilDate, editGrants, readGrants, scopeChain } from '../shapes.ts'

/** Users and groups are runtime state; their keys are freer than those of components. */
const principalKey = z
  .string()
  .regex(/^[^\s:]+$/, { error: 'A user or group key has no spaces and no colon.' })
const user = z.strictObject({ user: principalKey })
const group = z.strictObject({ group: principalKey })

/** `{ "user": "mara" }`, `{ "group": "tax" }`, or the short forms "user:mara" and "group:tax". */
export const flagOwner = z
  .union([user, group, z.string().regex(/^(user|group):[^\s:]+$/)], {
    error: 'Name a user or a group, such as user:mara or group:tax.',
  })
  .transform((owner): FlagOwner => (typeof owner === 'string' ? expanded(owner) : owner))

export type FlagOwner = z.output<typeof user> | z.output<typeof group>

function expanded(short: string): FlagOwner {
  const [kind, name = ''] = short.split(':')
  return kind === 'user' ? { user: name } : { group: name }
}

export const featureFlagBody = z.strictObject({
  owner: flagOwner,
  /** Last day of the switch; the day after, the flag is frozen. */
  expiresOn: civilDate,
  rationale: z.string().optional(),
  scopes: scopeChain,
  default: z.boolean().default(false),
  read: readGrants,
  edit: editGrants,
})

export type FeatureFlagBody = z.output<typeof featureFlagBody>
