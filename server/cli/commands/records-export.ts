// almanac records export: writes the records of an object as CSV or JSON lines that import can read.
import { csvLine, guardText } from '#kernel/export/index.ts'
import { encodeChunks } from '../../export/index.ts'
import { writeChunks } from '../../files/index.ts'
import type { ObjectDescription, RecordJson } from '../../records/index.ts'
import { UsageError } from '../fail.ts'
import { textOption } from '../options.ts'
import { hasVersions } from '../records-api.ts'
import { queriedRecords, queryOf } from '../query-records.ts'
import { valueText } from '../record-values.ts'
import { countText } from '../terminal.ts'
import type { Run } from '../command-definition.ts'

export const run: Run = async (call) => {
  const { terminal } = call
  const [object = ''] = call.args
  const out = textOption(call, 'out')
  if (out === undefined) throw new UsageError('Specify the file to write to: --out <file>.')
  const { records: api } = await call.org()
  const description = await api.describe(object)
  const fields = textOption(call, 'fields')?.split(',') ?? description.fields.map(({ key }) => key)
  const query = queryOf(call, object, fields)
  let count = 0
  const lines = async function* (): AsyncIterable<string> {
    const isCsv = !out.toLowerCase().endsWith('.jsonl')
    const isVersioned = hasVersions(description)
    if (isCsv) yield csvLine(['id', ...(isVersioned ? ['version'] : []), ...fields])
    for await (const record of queriedRecords(api, query, Infinity)) {
      count += 1
      yield isCsv
        ? csvLine(cells(record, fields, description))
        : `${JSON.stringify({ id: record.id, ...(isVersioned && { version: record.version }), ...record.fields })}\n`
    }
  }
  await writeChunks(out, encodeChunks(lines()))
  await terminal.data({ object, out, records: count })
  terminal.print(`${countText(count, 'record', 'records')} of ${object} are in ${out}.`)
}

/** Text that a spreadsheet would run as a formula has an apostrophe before it, which import removes. */
function cells(
  { id, version, fields }: RecordJson,
  names: readonly string[],
  object: ObjectDescription,
): string[] {
  const isNumber = (name: string): boolean =>
    object.fields.some(({ key, type }) => key === name && type === 'number')
  return [
    id,
    ...(hasVersions(object) ? [guardText(String(version ?? ''))] : []),
    ...names.map((name) => (isNumber(name) ? valueText(fields[name]) : guardText(valueText(fields[name])))),
  ]
}
