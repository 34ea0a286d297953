// The map from columns of a table to entries of a set: explicit, nothing is guessed.
import { z } from 'zod'
import { allIssueMessages } from '../components/schema-messages.ts'
import { key, scope, nonEmptyText } from '../components/shapes.ts'
import { AlmanacError } from '../errors/almanac-error.ts'
import { dateFormats, type DateFormat } from './date-formats.ts'

/** The column of a field's value, and how values are written in it. */
const valueColumn = z.strictObject({
  column: nonEmptyText.optional(),
  /** One value for every row, instead of a column. */
  constant: z.union([z.string(), z.boolean()]).optional(),
  /** Cell text → value; a cell that is not listed gives a finding. */
  map: z.record(z.string(), z.string()).optional(),
  /** Written as a percentage (19 or 19 %) or as a fraction (0.19, the default). */
  as: z.enum(['percent', 'fraction']).default('fraction'),
  /**
   * The factor for every number, such as "1000" for a column in thousands. Not with `as: percent`, which means "0.01".
   */
  times: z
    .string()
    .regex(/^-?\d{1,12}(\.\d{1,12})?$/, 'write a decimal number, such as "0.001"')
    .optional(),
  /** How the decimals of this column are written, if that differs from the other columns. */
  decimal: z.enum(['point', 'comma']).optional(),
  /** The value of an empty cell; if omitted, an empty cell is an absent value. */
  empty: z.string().optional(),
})

const dateFormat = z.enum(dateFormats)

const importMapSchema = z.strictObject({
  /** Components that are created if the org does not have them: the set, its value sets, the object that reads it. */
  create: z.array(z.unknown()).default([]),
  /** Column of the business key; omitted for a singleton set. */
  key: nonEmptyText.optional(),
  /** The separator of several keys in one cell ("\n" is a line break inside the cell). */
  split: z.string().min(1).optional(),
  /** Column of the first day. */
  from: nonEmptyText.optional(),
  /** Column of the end; an empty cell is open-ended. */
  to: nonEmptyText.optional(),
  /** Whether the end is the first day that no longer applies, or the last that does. */
  toIs: z.enum(['exclusive', 'inclusive']).default('exclusive'),
  /** The format of all dates, or of the dates of each column; `YYYY-MM-DD` if omitted. */
  dates: z.union([dateFormat, z.record(nonEmptyText, dateFormat)]).default('YYYY-MM-DD'),
  /**
   * The meaning of an empty end: the row has no end, or it ends where the next row of the same key and scope begins.
   */
  ends: z.enum(['open', 'next']).default('open'),
  /** The scope of every row, or of the rows whose cell in `scopeColumn` is empty. */
  scope: scope.prefault({ kind: 'org' }),
  /** Column with the scope of a row: `org`, `environment=test`, `app, catering`. */
  scopeColumn: nonEmptyText.optional(),
  /** Column of the priority of a row for a permission set. */
  priorityColumn: nonEmptyText.optional(),
  values: z.record(key, z.union([nonEmptyText, valueColumn])),
  /** Column of the label; if omitted, the key and the first day. */
  label: nonEmptyText.optional(),
  /** Rows to skip: those with one of these texts in a column. */
  skip: z.array(z.strictObject({ column: nonEmptyText, is: z.array(z.string()) })).default([]),
  /** How decimals are written; if omitted, detected from the numbers. */
  decimal: z.enum(['point', 'comma']).optional(),
  delimiter: z.string().length(1).optional(),
  /**
   * The line of the header row; rows above it are ignored. True is the first row. If false, the table has no header
   * and the columns are named "Column 1" and so on.
   */
  header: z.union([z.boolean(), z.int().min(1)]).default(true),
  /** Name of the sheet of a spreadsheet; the first one if omitted. */
  sheet: z.string().optional(),
  encoding: z.enum(['utf-8', 'utf-16le', 'utf-16be', 'windows-1252']).optional(),
})

export type ImportMap = z.output<typeof importMapSchema>
export type ValueColumn = z.output<typeof valueColumn>

/** Returns the format of a column's dates. */
export function dateFormatOf({ dates }: Pick<ImportMap, 'dates'>, column: string): DateFormat {
  return typeof dates === 'string' ? dates : (dates[column] ?? 'YYYY-MM-DD')
}

/** @throws AlmanacError import.invalid naming every place of the map that is not valid. */
export function parseImportMap(json: unknown): ImportMap {
  const parsed = importMapSchema.safeParse(json)
  if (parsed.success) return parsed.data
  const words = allIssueMessages(importMapSchema, json, parsed.error, 'map')
  throw new AlmanacError('import.invalid', words.join(' '), { details: words })
}

/** Returns the columns that the map names, each with the property that names it. */
export function columnsOf(map: ImportMap): { column: string; use: string }[] {
  const named = [
    { column: map.key, use: 'key' },
    { column: map.from, use: 'from' },
    { column: map.to, use: 'to' },
    { column: map.scopeColumn, use: 'scopeColumn' },
    { column: map.priorityColumn, use: 'priorityColumn' },
    { column: map.label, use: 'label' },
    ...Object.entries(map.values).map(([field, value]) => ({
      column: typeof value === 'string' ? value : value.column,
      use: `values.${field}`,
    })),
    ...map.skip.map(({ column }) => ({ column, use: 'skip' })),
    ...(typeof map.dates === 'string' ? [] : Object.keys(map.dates)).map((column) => ({
      column,
      use: 'dates',
    })),
  ]
  return named.flatMap(({ column, use }) => (column === undefined ? [] : [{ column, use }]))
}
