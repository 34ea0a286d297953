// The component types with their forms, help and JSON Schemas.
import { z } from 'zod'
import { formOf } from '#kernel/components/forms.ts'
import { envelopeJsonSchema } from '#kernel/components/json-schema.ts'
import { rooms as allRooms } from '#kernel/components/registry.ts'
import type { RoomView } from '#wire/index.ts'
import { createYielder } from '../../pipeline/index.ts'
import { defineRoute } from '../route.ts'

const room = z.looseObject({
  type: z.string(),
  title: z.string(),
  plural: z.string(),
  author: z.string(),
  form: z.unknown(),
  doc: z.unknown(),
  schema: z.unknown(),
})

export const rooms = defineRoute({
  method: 'get',
  path: '/setup/v3/rooms',
  name: 'listRooms',
  summary: 'List the component types: form, help, JSON Schema of the envelope',
  effect: 'reads',
  reply: z.object({ rooms: z.array(room) }),
  errors: [],
  handle: async (): Promise<{ rooms: RoomView[] }> => {
    const views: RoomView[] = []
    const breathe = createYielder()
    for (const { type, title, plural, author, doc } of allRooms) {
      views.push({ type, title, plural, author, form: formOf(type), doc, schema: envelopeJsonSchema(type) })
      // The first time, a schema takes some milliseconds.
      await breathe()
    }
    return { rooms: views }
  },
})
