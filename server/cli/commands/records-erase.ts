// almanac records erase: erases the sensitive values of a record from everything that is stored.
import { UsageError } from '../fail.ts'
import { textOption } from '../options.ts'
import { countText } from '../terminal.ts'
import type { Run } from '../command-definition.ts'

export const run: Run = async (call) => {
  const { args, terminal } = call
  const [object = '', id = ''] = args
  const reason = textOption(call, 'reason')?.trim() ?? ''
  if (reason === '')
    throw new UsageError(
      'Specify why, without personal data: --reason "request 17". It is kept in the audit.',
    )
  const erasure = await (await call.org()).records.erase({ object, id, reason })
  await terminal.data(erasure)
  const { records, changes, continues } = erasure
  terminal.print(
    `Erased. ${countText(records, 'record', 'records')} and ${countText(changes, 'change', 'changes')} in the history contained such values.`,
  )
  if (continues)
    terminal.print('A job on the server still erases what was computed from the values in other records.')
  terminal.print('Backups that were made before still contain the values.')
}
