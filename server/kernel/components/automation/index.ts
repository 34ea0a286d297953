// The room of automations.
import { defineComponentType } from '../define.ts'
import { automationBody } from './body.ts'
import { automationDoc } from './doc.ts'
import { automationReferences } from './references.ts'
import { automationRules } from './rules.ts'

export const automationRoom = defineComponentType({
  type: 'automation',
  title: 'automation',
  plural: 'automations',
  author: 'metadata.author',
  body: automationBody,
  references: automationReferences,
  secretSlots: () => [],
  rules: automationRules,
  doc: automationDoc,
})
