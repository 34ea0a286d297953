// Help on feature flags.
import type { ComponentDoc } from '../define.ts'

export const featureFlagDoc: ComponentDoc = {
  summary: 'A feature flag is a yes or no that somebody owns and that expires.',
  text: `Use a flag to switch something on step by step, and remove it afterwards. A switch that stays is not a flag: make it a field of a configuration set.

Its default is the value for everyone; an entry whose set is the flag's key gives another value to an environment, an app, a language, a permission set or a user. Expressions read it as flag.<key>.

On the day after expiresOn the flag is **frozen**: it keeps its value, and nothing may change it until the expiry is extended with a fresh rationale, or the flag is removed.`,
  example: {
    owner: { user: 'admin' },
    expiresOn: '2027-06-30',
    rationale: 'The new rounding is tried by two pilot offices first.',
    scopes: ['permission_set', 'environment', 'org'],
    default: false,
    read: { tax_readers: 'read' },
    edit: { tax_editors: 'edit' },
  },
}
