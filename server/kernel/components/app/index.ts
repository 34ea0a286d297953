// The room of apps.
import { defineComponentType } from '../define.ts'
import { appBody } from './body.ts'
import { appDoc } from './doc.ts'
import { appReferences, appRules } from './rules.ts'

export const appRoom = defineComponentType({
  type: 'app',
  title: 'app',
  plural: 'apps',
  author: 'metadata.author',
  body: appBody,
  references: appReferences,
  secretSlots: () => [],
  rules: appRules,
  doc: appDoc,
})
