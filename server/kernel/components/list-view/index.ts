// The room of list views.
import { defineComponentType } from '../define.ts'
import { listViewBody } from './body.ts'
import { listViewDoc } from './doc.ts'
import { listViewReferences, listViewRules } from './rules.ts'

export const listViewRoom = defineComponentType({
  type: 'list_view',
  title: 'list view',
  plural: 'list views',
  author: 'metadata.author',
  body: listViewBody,
  references: listViewReferences,
  secretSlots: () => [],
  rules: listViewRules,
  doc: listViewDoc,
})
