// Shapes of the impact of a change list.
import { z } from 'zod'
import { budget } from './changes.ts'

const cut = <T extends z.ZodType>(item: T) => z.object({ items: z.array(item), total: z.int() })
const values = z.record(z.string(), z.unknown()).nullable()
const scope = z.looseObject({ kind: z.string() })

const reader = z.object({
  id: z.string(),
  type: z.string(),
  label: z.string(),
  direct: z.boolean(),
  through: z.array(z.string()),
  paths: z.array(z.string()),
  changed: z.boolean(),
})

const words = { beforeWords: z.string(), afterWords: z.string(), hidden: z.boolean() }

const resolutionChange = z.object({
  set: z.string(),
  setLabel: z.string(),
  key: z.string().nullable(),
  scope,
  from: z.string().nullable(),
  to: z.string().nullable(),
  before: values,
  after: values,
  title: z.string(),
  when: z.string(),
  ...words,
})

const flip = z.object({
  set: z.string(),
  setLabel: z.string(),
  flag: z.boolean(),
  key: z.string().nullable(),
  kind: z.enum(['everyone', 'user', 'permission_set', 'locale', 'app', 'environment']),
  before: values,
  after: values,
  who: cut(z.string()),
  ...words,
})

const resultChange = z.object({
  id: z.string(),
  label: z.string(),
  at: z.string(),
  actor: z.string(),
  stored: z.string(),
  now: z.string().nullable(),
  after: z.string().nullable(),
  nowError: z.string().nullable(),
  afterError: z.string().nullable(),
  reads: z.array(z.string()),
})

export const impact = z
  .object({
    base: z.int(),
    today: z.string(),
    changeDigest: z.string(),
    readers: z.object({
      byType: z.array(
        z.object({
          type: z.string(),
          title: z.string(),
          direct: z.int(),
          further: z.int(),
          readers: cut(reader),
        }),
      ),
      total: z.int(),
    }),
    keys: z.object({ from: z.int(), looked: z.int(), total: z.int() }),
    resolution: cut(resolutionChange),
    flips: cut(flip),
    results: z.object({
      changed: z.array(resultChange),
      looked: z.int(),
      total: z.int(),
      reading: z.int(),
      next: z.string().nullable(),
    }),
    budget,
  })
  .meta({
    id: 'Impact',
    description: 'The impact of a change list; each truncated list has its full length.',
  })
