// Help on feature flags.
import type { ComponentDoc } from '../define.ts'

export const featureFlagDoc: ComponentDoc = {
  summary: 'A feature flag is a boolean switch with an owner and an expiry date.',
  text: `Use a flag to switch something on step by step, and remove it afterwards. For a permanent switch, use a field of a configuration set instead.

Its default is the value for everyone. An entry whose set is the flag's key gives a different value to an environment, an app, a language, a permission set or a user. Expressions read it as flag.<key>.

On the day after expiresOn the flag is **frozen**: it keeps its value, and its value cannot change until the expiry is extended with a new rationale, or the flag is removed.`,
  example: {
    owner: { user: 'admin' },
    expiresOn: '2027-06-30',
    rationale: 'Two pilot offices try the new rounding first.',
    scopes: ['permission_set', 'environment', 'org'],
    default: false,
    read: { tax_readers: 'read' },
    edit: { tax_editors: 'edit' },
  },
}
