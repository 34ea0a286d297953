// The room of named credentials.
import { defineComponentType } from '../define.ts'
import { edge } from '../edges.ts'
import { namedCredentialBody } from './body.ts'
import { namedCredentialDoc } from './doc.ts'
import { namedCredentialRules } from './rules.ts'

export const namedCredentialRoom = defineComponentType({
  type: 'named_credential',
  title: 'named credential',
  plural: 'named credentials',
  author: 'metadata.author',
  body: namedCredentialBody,
  references: ({ body }) => edge('external_credential', body.externalCredential, ['externalCredential']),
  secretSlots: () => [],
  rules: namedCredentialRules,
  doc: namedCredentialDoc,
})
