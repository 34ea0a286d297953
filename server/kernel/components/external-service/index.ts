// The room of external services.
import { defineComponentType } from '../define.ts'
import { edge } from '../edges.ts'
import { externalServiceBody } from './body.ts'
import { externalServiceDoc } from './doc.ts'
import { externalServiceRules } from './rules.ts'

export const externalServiceRoom = defineComponentType({
  type: 'external_service',
  title: 'external service',
  plural: 'external services',
  author: 'metadata.author',
  body: externalServiceBody,
  references: ({ body }) => [
    ...edge('named_credential', body.namedCredential, ['namedCredential']),
    ...(body.grantedTo ?? []).flatMap((set, at) => edge('permission_set', set, ['grantedTo', at])),
  ],
  secretSlots: () => [],
  rules: externalServiceRules,
  doc: externalServiceDoc,
})
