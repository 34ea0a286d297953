// Compares two points in time, and lists the values of one key by generation and day.
import { z } from 'zod'
import type { ErrorCode } from '#kernel/errors/catalogue.ts'
import { decodeCursor, encodeCursor } from '../cursor.ts'
import { defineRoute } from '../route.ts'
import { scopePathInput } from '../schemas/evaluation.ts'
import { pointComparison, keyMap as keyMapShape, point } from '../schemas/points.ts'

/** Maximum number of keys in one response. */
const maxKeys = 5000

const errors: readonly ErrorCode[] = [
  'config.unknown_set',
  'config.as_of_required',
  'generation.not_found',
  'access.denied',
]

export const comparePoints = defineRoute({
  method: 'post',
  path: '/setup/v3/compare-points',
  name: 'comparePoints',
  summary: 'Compare the value and the entry of each key of a set at two points in time',
  effect: 'reads',
  body: z.strictObject({
    set: z.string(),
    a: point,
    b: point,
    key: z
      .string()
      .nullable()
      .optional()
      .meta({ description: 'Only this key; null for a singleton or a flag.' }),
    scope: scopePathInput.optional().meta({ description: 'The viewer; default the caller.' }),
    changed: z.boolean().optional().meta({ description: 'Only keys whose values differ; default true.' }),
    limit: z.int().min(1).max(2000).optional(),
    cursor: z.string().optional(),
  }),
  budget: { lane: 'long' },
  reply: pointComparison,
  errors,
  handle: async ({ body, services, access, scopePath }) => {
    const { set, a, b, key, changed = true, limit = 200, cursor } = body
    const scope = body.scope ?? scopePath
    const question = JSON.stringify([set, a, b, key, scope, changed])
    const place = decodeCursor(question, cursor)
    const { last, ...compared } = await services.longReads.comparePoints({
      ...{ actor: access.user, set, a, b, key, scope, changed, limit, look: maxKeys },
      ...(place === undefined ? {} : { after: JSON.parse(place) as string | null }),
    })
    return { ...compared, nextCursor: last === null ? null : encodeCursor(question, last) }
  },
})

export const keyMap = defineRoute({
  method: 'post',
  path: '/setup/v3/key-map',
  name: 'keyMap',
  summary: 'List the values of one key in each generation that changed it, and their days; newest first',
  effect: 'reads',
  body: z.strictObject({
    set: z.string(),
    key: z.string().nullable().optional(),
    scope: scopePathInput.optional(),
    before: z.int().min(0).optional().meta({ description: 'Only generations before this one.' }),
    limit: z.int().min(1).max(500).optional(),
  }),
  budget: { lane: 'long' },
  reply: keyMapShape,
  errors,
  handle: ({ body, services, access, scopePath }) =>
    services.longReads.keyMap({
      ...{ actor: access.user, set: body.set, key: body.key ?? null, scope: body.scope ?? scopePath },
      ...{ before: body.before, limit: body.limit ?? 100 },
    }),
})
