// The room of external credentials.
import { defineComponentType } from '../define.ts'
import { edge } from '../edges.ts'
import { externalCredentialBody } from './body.ts'
import { externalCredentialDoc } from './doc.ts'
import { externalCredentialRules } from './rules.ts'
import { secretNames } from './secret-slots.ts'

export const externalCredentialRoom = defineComponentType({
  type: 'external_credential',
  title: 'external credential',
  plural: 'external credentials',
  author: 'metadata.author',
  body: externalCredentialBody,
  references: ({ body }) =>
    body.principals.flatMap((principal, at) =>
      principal.grantedTo.flatMap((set, index) =>
        edge('permission_set', set, ['principals', at, 'grantedTo', index]),
      ),
    ),
  secretSlots: ({ body }) => body.principals.map(({ key }) => ({ principal: key, names: secretNames(body) })),
  rules: externalCredentialRules,
  doc: externalCredentialDoc,
})
