// Shapes of the inspection of a file before its import.
import { z } from 'zod'

const column = z.object({
  name: z.string(),
  type: z.enum(['number', 'date', 'boolean', 'text', 'empty']),
  filled: z.int(),
  empty: z.int(),
  odd: z.int(),
  distinct: z.int(),
  samples: z.array(z.string()),
  decimal: z.enum(['point', 'comma', 'either', 'none', 'mixed']).optional(),
  percent: z.boolean().optional(),
  dates: z.array(z.string()).optional(),
})

const question = z.object({
  about: z.enum([
    'dates',
    'ends',
    'decimal',
    'header',
    'encoding',
    'delimiter',
    'to',
    'key',
    'from',
    'field',
  ]),
  message: z.string(),
  choices: z.array(z.string()),
  field: z.string().optional(),
  columns: z.array(z.string()).optional(),
})

export const inspection = z
  .object({
    name: z.string(),
    kind: z.enum(['csv', 'xlsx', 'xls']),
    bytes: z.int(),
    rows: z.int(),
    oddRows: z.object({ total: z.int(), lines: z.array(z.int()) }),
    encoding: z.string().nullable(),
    encodingCertain: z.boolean(),
    lettered: z.array(z.string()),
    delimiter: z.string().nullable(),
    delimiterCertain: z.boolean(),
    sheets: z.array(z.string()),
    sheet: z.string().nullable(),
    header: z.int().nullable().meta({ description: 'The line of the header row.' }),
    headerCertain: z.boolean(),
    above: z.array(z.object({ line: z.int(), cells: z.array(z.string()) })),
    columns: z.array(column),
    sample: z.array(z.object({ line: z.int(), cells: z.array(z.string()) })),
    map: z.record(z.string(), z.unknown()).nullable(),
    questions: z.array(question),
  })
  .meta({ id: 'ImportInspection', description: 'The content of a file, and its open questions.' })
