// The room of configuration entries (docs/reference/resolution-and-dates.md).
import { defineComponentType } from '../define.ts'
import { configEntryBody } from './body.ts'
import { configEntryDoc } from './doc.ts'
import { normaliseEntry } from './normalise.ts'
import { entryReferences } from './references.ts'
import { configEntryRules } from './rules.ts'

export { frozenRemoval } from './frozen-change.ts'
export { entryTarget, valueReferences } from './references.ts'

export const configEntryRoom = defineComponentType({
  type: 'config_entry',
  title: 'configuration entry',
  plural: 'configuration entries',
  author: 'config.author',
  body: configEntryBody,
  normalise: normaliseEntry,
  references: entryReferences,
  secretSlots: () => [],
  rules: configEntryRules,
  issues: [
    { at: '/values/*', code: 'config.value_type' },
    { at: '/scope/kind', code: 'config.scope_kind' },
    { at: '/key', code: 'config.key_type' },
  ],
  doc: configEntryDoc,
})
