// almanac records import: adds or updates records from CSV with a header, or from JSON lines.
import { parse } from 'csv-parse/sync'
import { AlmanacError } from '#kernel/errors/almanac-error.ts'
import { unguardText } from '#kernel/export/index.ts'
import type { FieldValue } from '#kernel/components/field-types.ts'
import { readText } from '../../files/index.ts'
import type { FieldDescription } from '#wire/records.ts'
import type { CommandItem, ObjectDescription } from '../../records/index.ts'
import { exitCodes, UsageError } from '../fail.ts'
import { textOption } from '../options.ts'
import { hasVersions, type RowItem } from '../records-api.ts'
import { typedValue } from '../record-values.ts'
import { tableText } from '../table.ts'
import { countText } from '../terminal.ts'
import type { Run } from '../command-definition.ts'

/** Rows of one request. */
const batchSize = 200
/** Failed rows that are listed on a terminal. */
const maxListed = 20

interface Row {
  /** In the file, counted from 1. */
  line: number
  fields: Record<string, FieldValue>
}

interface Failure {
  line: number
  code: string
  message: string
}

export const run: Run = async (call) => {
  const { terminal } = call
  const [object = '', file = ''] = call.args
  const externalId = textOption(call, 'externalId')
  const { records: api } = await call.org()
  const described = await api.describe(object)
  if (externalId !== undefined && described.remote !== null)
    throw new UsageError(
      `${object} is virtual, so --external-id is not possible. A column "id" with the external ID changes rows.`,
    )
  const { rows, computed } = withoutComputed(rowsOf(file, described), described)
  let saved = 0
  const failures: Failure[] = []
  for (let at = 0; at < rows.length; at += batchSize) {
    const batch = rows.slice(at, at + batchSize)
    const outcomes =
      described.remote === null
        ? await api.save(
            object,
            batch.map(({ fields }) => itemOf(fields, externalId)),
          )
        : await api.saveRows(
            object,
            batch.map(({ fields }) => rowItemOf(fields, described)),
          )
    for (const [index, outcome] of outcomes.entries())
      if (outcome.ok) saved += 1
      else failures.push({ line: batch[index]!.line, code: outcome.code, message: outcome.message })
    terminal.progress(`${at + batch.length} of ${rows.length} rows …`)
  }
  await terminal.data({ object, file, saved, failed: failures.length, failures, computed })
  terminal.print(() =>
    failures.length === 0
      ? ''
      : tableText(
          terminal,
          ['line', 'problem'],
          failures.slice(0, maxListed).map(({ line, message }) => [String(line), message]),
        ),
  )
  if (failures.length > maxListed)
    terminal.print(`Only the first ${maxListed} of these rows are shown. Use --json for all.`)
  if (computed.length > 0)
    terminal.print(
      `Not imported, because it ${described.remote === null ? 'is computed' : 'cannot be changed'}: ${computed.join(', ')}.`,
    )
  terminal.print(`${countText(saved, 'record was', 'records were')} saved, ${failures.length} failed.`)
  return failures.length === 0 ? exitCodes.done : exitCodes.failed
}

/** Computed fields, and those of a source that are read only, are left out, so that what was exported can be imported again. Names them too. */
function withoutComputed(
  rows: readonly Row[],
  { fields, remote }: ObjectDescription,
): { rows: Row[]; computed: string[] } {
  const isEntered = ({ computed, editable }: FieldDescription): boolean =>
    computed === null && (remote === null || editable)
  const names = new Set(fields.flatMap((field) => (isEntered(field) ? [] : [field.key])))
  const found = new Set<string>()
  const entered = rows.map(({ line, fields: values }) => {
    const kept = Object.entries(values).filter(([name]) => {
      if (names.has(name)) found.add(name)
      return !names.has(name)
    })
    return { line, fields: Object.fromEntries(kept) }
  })
  return { rows: entered, computed: [...found] }
}

/** A column `id` identifies existing records; with an external ID, a record that does not exist is added. */
function itemOf(
  { id, ...fields }: Row['fields'],
  externalId: string | undefined,
): Omit<CommandItem, 'object'> {
  if (externalId !== undefined) return { op: 'upsert', externalId, fields }
  return typeof id === 'string' ? { op: 'update', id, fields } : { op: 'insert', fields }
}

/** A row of a virtual object. A column `version`, as an export writes it, refuses to change a row that has changed since. */
function rowItemOf(values: Row['fields'], described: ObjectDescription): RowItem {
  const { id, version, ...fields } = values
  const isKey = (value: FieldValue | undefined): value is string => typeof value === 'string'
  if (!hasVersions(described))
    return { ...(isKey(id) && { id }), fields: version === undefined ? fields : { ...fields, version } }
  return { ...(isKey(id) && { id }), ...(isKey(version) && { version }), fields }
}

/** @throws AlmanacError `import.invalid` with the line */
function rowsOf(file: string, object: ObjectDescription): Row[] {
  const text = readText(file)
  return file.toLowerCase().endsWith('.jsonl') ? jsonRows(text, file) : csvRows(text, file, object)
}

function csvRows(text: string, file: string, object: ObjectDescription): Row[] {
  try {
    const records = parse(text, {
      bom: true,
      info: true,
      relax_column_count: false,
      skip_empty_lines: true,
    }) as unknown as {
      record: string[]
      info: { lines: number }
    }[]
    const [head, ...rest] = records
    const names = (head?.record ?? []).map((name) => name.trim())
    return rest.map(({ record, info }) => ({
      line: info.lines,
      fields: Object.fromEntries(
        names.map((name, index) => [name, typedValue(object, name, unguardText(record[index] ?? ''))]),
      ),
    }))
  } catch (error) {
    throw new AlmanacError('import.invalid', `${file}: ${(error as Error).message}.`)
  }
}

function jsonRows(text: string, file: string): Row[] {
  return text.split('\n').flatMap((line, index): Row[] => {
    if (line.trim() === '') return []
    const fields = objectOf(line)
    if (fields === null)
      throw new AlmanacError('import.invalid', `${file}, line ${index + 1}: this is not a JSON object.`)
    return [{ line: index + 1, fields }]
  })
}

function objectOf(text: string): Row['fields'] | null {
  try {
    const value = JSON.parse(text) as unknown
    return typeof value === 'object' && value !== null && !Array.isArray(value)
      ? (value as Row['fields'])
      : null
  } catch {
    return null
  }
}
