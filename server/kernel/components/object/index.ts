// The room of objects, local and virtual.
import { defineComponentType } from '../define.ts'
import { objectBody } from './body.ts'
import { objectDoc } from './doc.ts'
import { objectReferences } from './references.ts'
import { objectRules } from './rules.ts'

export const objectRoom = defineComponentType({
  type: 'object',
  title: 'object',
  plural: 'objects',
  author: 'metadata.author',
  body: objectBody,
  references: objectReferences,
  secretSlots: () => [],
  rules: objectRules,
  doc: objectDoc,
})
