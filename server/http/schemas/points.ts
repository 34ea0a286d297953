// Shapes of a comparison of two points in time.
import { z } from 'zod'
import { civilDate, generationNumber } from './common.ts'
import { scopePath } from './evaluation.ts'

export const point = z.strictObject({ generation: generationNumber, asOf: civilDate.nullable() })

const values = z.record(z.string(), z.unknown())
const scope = z.looseObject({ kind: z.string() })
const days = { from: z.string().nullable(), to: z.string().nullable() }

const answer = z
  .object({
    entry: z.string(),
    scope,
    values,
    ...days,
    deployedBy: z.object({ generation: z.int(), actor: z.string(), at: z.string() }).nullable(),
  })
  .nullable()

export const pointComparison = z
  .object({
    set: z.string(),
    names: z.object({ a: z.string(), b: z.string() }),
    a: point,
    b: point,
    scope: scopePath,
    keys: z.array(
      z.object({
        key: z.string().nullable(),
        a: answer,
        b: answer,
        changed: z.boolean(),
        fields: z.array(z.string()),
      }),
    ),
    looked: z.int(),
    total: z.int(),
    nextCursor: z.string().nullable(),
  })
  .meta({ id: 'ComparedPoints' })

export const keyMap = z
  .object({
    set: z.string(),
    key: z.string().nullable(),
    scope: scopePath,
    generations: z.array(
      z.object({
        generation: z.int(),
        at: z.string(),
        actor: z.string(),
        rationale: z.string(),
        segments: z.array(z.object({ ...days, entry: z.string(), scope, values })),
        changes: z.array(z.object({ ...days, before: values.nullable(), after: values.nullable() })),
      }),
    ),
    total: z.int(),
    before: z.int().nullable(),
    days: z.array(z.string()),
    earlier: z.object({ set: z.string(), until: z.int() }).nullable(),
    last: z
      .int()
      .nullable()
      .meta({ description: 'The last generation with the set, if the active one no longer has it.' }),
  })
  .meta({
    id: 'KeyMap',
    description: 'The values of one key in each generation that changed it, and their days.',
  })
