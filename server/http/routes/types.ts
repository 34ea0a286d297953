// TypeScript declarations of every set, flag and external service.
import { typeDeclarations } from '#kernel/config/index.ts'
import { textReply } from '../reply.ts'
import { defineRoute } from '../route.ts'

export const types = defineRoute({
  method: 'get',
  path: '/metadata/v3/types',
  name: 'typeDeclarations',
  summary: 'Get TypeScript declarations of all sets, flags and external services',
  effect: 'reads',
  media: 'text/plain',
  errors: [],
  handle: ({ shown, snapshot }) => textReply(typeDeclarations(shown, snapshot.generation)),
})
