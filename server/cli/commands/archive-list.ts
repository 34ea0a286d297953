// almanac archive list: the archives of evidence that the user has created.
import { tableText } from '../table.ts'
import type { Run } from '../command-definition.ts'

export const run: Run = async (call) => {
  const { terminal } = call
  const archives = await (await call.org()).records.archives()
  await terminal.data({ archives })
  const rows = archives.map(({ id, object, fields, at, by, values }) => [
    ...[id, object ?? '', fields.join(', '), at.slice(0, 19).replace('T', ' '), by],
    values.toLocaleString('en'),
  ])
  terminal.print(() => tableText(terminal, ['archive', 'object', 'fields', 'at (UTC)', 'by', 'values'], rows))
}
