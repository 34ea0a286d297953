// The room of feature flags (docs/reference/resolution-and-dates.md).
import { defineComponentType } from '../define.ts'
import { grantEdges } from '../edges.ts'
import { featureFlagBody } from './body.ts'
import { featureFlagDoc } from './doc.ts'
import { featureFlagRules } from './rules.ts'

export const featureFlagRoom = defineComponentType({
  type: 'feature_flag',
  title: 'feature flag',
  plural: 'feature flags',
  author: 'config.author',
  body: featureFlagBody,
  references: ({ body }) => grantEdges(body),
  secretSlots: () => [],
  rules: featureFlagRules,
  issues: [
    {
      at: '/owner',
      code: 'flag.owner',
      message: (flag, missing) =>
        `The flag ${flag} has ${missing ? 'no owner' : 'an owner that is not a user or a group'}. Choose a user or a group, such as user:mara or group:tax.`,
    },
    {
      at: '/expiresOn',
      code: 'flag.expiry',
      message: (flag, missing) =>
        missing
          ? `The flag ${flag} has no expiry. Add "expiresOn" with its last day, such as "2026-12-31". A permanent switch is a configuration value, not a flag.`
          : '',
    },
    {
      at: '/default',
      code: 'flag.default_type',
      message: (flag) => `The default of the flag ${flag} is not a boolean. It must be true or false.`,
    },
  ],
  doc: featureFlagDoc,
})
