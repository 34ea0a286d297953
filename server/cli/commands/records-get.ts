// almanac records get: shows one record.
import { textOption } from '../options.ts'
import { valueText } from '../record-values.ts'
import { tableText } from '../table.ts'
import type { Run } from '../command-definition.ts'

export const run: Run = async (call) => {
  const { args, terminal } = call
  const [object = '', id = ''] = args
  const names = textOption(call, 'fields')?.split(',')
  const record = await (await call.org()).records.get(object, id, names)
  await terminal.data(record)
  const rows = Object.entries(record.fields).map(([name, value]) => [
    name,
    record.errors?.[name] ?? valueText(value),
  ])
  terminal.print(() =>
    tableText(terminal, ['field', 'value'], [['version', String(record.version)], ...rows]),
  )
}
