// The room of integration clients.
import { defineComponentType } from '../define.ts'
import { integrationClientBody } from './body.ts'
import { integrationClientDoc } from './doc.ts'
import { integrationClientRules } from './rules.ts'

export const integrationClientRoom = defineComponentType({
  type: 'integration_client',
  title: 'integration client',
  plural: 'integration clients',
  author: 'metadata.author',
  body: integrationClientBody,
  references: () => [],
  secretSlots: () => [],
  rules: integrationClientRules,
  doc: integrationClientDoc,
})
