// The room of layouts (docs/reference/lookup-field.md).
import { defineComponentType } from '../define.ts'
import { layoutBody } from './body.ts'
import { layoutDoc } from './doc.ts'
import { layoutReferences, layoutRules } from './rules.ts'

export const layoutRoom = defineComponentType({
  type: 'layout',
  title: 'layout',
  plural: 'layouts',
  author: 'metadata.author',
  body: layoutBody,
  references: layoutReferences,
  secretSlots: () => [],
  rules: layoutRules,
  doc: layoutDoc,
})
