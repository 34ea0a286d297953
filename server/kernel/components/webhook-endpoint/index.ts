// The room of webhook endpoints.
import { defineComponentType } from '../define.ts'
import { webhookEndpointBody } from './body.ts'
import { webhookEndpointDoc } from './doc.ts'
import { webhookEndpointRules, webhookReferences } from './rules.ts'

export const webhookEndpointRoom = defineComponentType({
  type: 'webhook_endpoint',
  title: 'webhook endpoint',
  plural: 'webhook endpoints',
  author: 'metadata.author',
  body: webhookEndpointBody,
  references: webhookReferences,
  secretSlots: () => [],
  rules: webhookEndpointRules,
  doc: webhookEndpointDoc,
})
