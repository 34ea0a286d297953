// almanac archive list: the archives of evidence that the user has created.
import type { ArchiveSummary } from '#wire/records.ts'
import { tableText } from '../table.ts'
import type { Run } from '../command-definition.ts'

export const run: Run = async (call) => {
  const { terminal } = call
  const { records } = await call.org()
  const archives: ArchiveSummary[] = []
  for (let cursor: string | null | undefined; cursor !== null;) {
    const page = await records.archives(cursor)
    archives.push(...page.archives)
    cursor = page.nextCursor
  }
  await terminal.data({ archives })
  const rows = archives.map(({ id, object, fields, at, by, values }) => [
    ...[id, object ?? '', fields.join(', '), at.slice(0, 19).replace('T', ' '), by],
    values.toLocaleString('en'),
  ])
  terminal.print(() => tableText(terminal, ['archive', 'object', 'fields', 'at (UTC)', 'by', 'values'], rows))
}
