// Shapes of the impact of a change list.
import { z } from 'zod'
import { budget } from './changes.ts'
import { fieldValue } from './records.ts'

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

export const recordsImpact = z
  .object({
    base: z.int(),
    changeDigest: z.string(),
    fields: z.array(
      z.object({
        object: z.string(),
        objectLabel: z.string(),
        field: z.string(),
        label: z.string(),
        added: z.boolean().meta({
          description: 'Whether the change list adds the field, whose values a job computes after the apply.',
        }),
        changed: z
          .int()
          .meta({ description: 'Records whose value would change, also those that you cannot see.' }),
        items: z
          .array(
            z.object({
              id: z.string(),
              name: z.string().nullable(),
              stored: fieldValue,
              now: fieldValue,
              after: fieldValue,
              afterError: z.string().nullable(),
            }),
          )
          .meta({ description: 'The first ones that you can see.' }),
      }),
    ),
    looked: z.int(),
    total: z.int().meta({ description: 'Records of all objects that the list affects.' }),
    hidden: z.int().meta({
      description:
        'Records that were not compared, because their formulas read, or could read, what you cannot see, and a count could reveal it.',
    }),
    unfollowed: z.int().meta({
      description:
        'Records that were not compared, because a formula moves more than 200,000 children of their roll-ups to other parents.',
    }),
    next: z.string().nullable().meta({ description: 'Where to continue; null after the last part.' }),
  })
  .meta({
    id: 'RecordsImpact',
    description: 'A part of the impact on records. The counts of all parts add up.',
  })
