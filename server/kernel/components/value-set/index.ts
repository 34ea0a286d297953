// The room of value sets.
import { defineComponentType } from '../define.ts'
import { valueSetBody } from './body.ts'
import { valueSetDoc } from './doc.ts'
import { valueSetRules } from './rules.ts'

export const valueSetRoom = defineComponentType({
  type: 'value_set',
  title: 'value set',
  plural: 'value sets',
  author: 'metadata.author',
  body: valueSetBody,
  references: () => [],
  secretSlots: () => [],
  rules: valueSetRules,
  doc: valueSetDoc,
})
