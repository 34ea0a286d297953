// The room of calc functions.
import { defineComponentType } from '../define.ts'
import { calcFunctionBody } from './body.ts'
import { calcFunctionDoc } from './doc.ts'
import { calcFunctionRules } from './rules.ts'

export const calcFunctionRoom = defineComponentType({
  type: 'calc_function',
  title: 'calc function',
  plural: 'calc functions',
  author: 'metadata.author',
  body: calcFunctionBody,
  references: () => [],
  secretSlots: () => [],
  rules: calcFunctionRules,
  doc: calcFunctionDoc,
})
