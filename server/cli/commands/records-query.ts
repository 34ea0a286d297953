// almanac records query: lists the records for which a filter is true.
import type { RecordJson } from '../../records/index.ts'
import { UsageError } from '../fail.ts'
import { integerOption, textOption } from '../options.ts'
import { queriedRecords, queryOf } from '../query-records.ts'
import { valueText } from '../record-values.ts'
import { tableText } from '../table.ts'
import { countText } from '../terminal.ts'
import type { Run } from '../command-definition.ts'

export const run: Run = async (call) => {
  const { terminal } = call
  const [object = ''] = call.args
  const limit = integerOption(call, 'limit') ?? 50
  const names = textOption(call, 'fields')
  if (names === undefined) throw new UsageError('Specify the fields to read: --fields <names>.')
  const fields = names.split(',')
  const { records: api } = await call.org()
  const records: RecordJson[] = []
  for await (const record of queriedRecords(api, queryOf(call, object, fields), limit)) records.push(record)
  await terminal.data({ records })
  terminal.print(() =>
    records.length === 0
      ? `No record of ${object} matches.`
      : tableText(
          terminal,
          ['id', ...fields],
          records.map((record) => [record.id, ...fields.map((name) => valueText(record.fields[name]))]),
        ),
  )
  if (records.length === limit)
    terminal.print(`The first ${countText(limit, 'record', 'records')}. Use --limit for more.`)
}
