// almanac drafts: what is kept and not applied.
import { flag } from '../options.ts'
import { tableText } from '../table.ts'
import { count } from '../terminal.ts'
import type { Run } from '../verb.ts'

export const run: Run = async (call) => {
  const { terminal } = call
  if (flag(call, 'discard')) {
    const local = await call.localOrg()
    local.demandAuthor()
    const dropped = await local.org.discardDrafts(local.sight)
    await terminal.data({ discarded: dropped })
    return terminal.print(`${count(dropped, 'draft')} dropped.`)
  }
  const drafts = await (await call.org()).drafts()
  await terminal.data({ drafts })
  const rows = drafts.map(({ id, text, author, updatedAt }) => [
    id,
    text === null ? 'removes' : 'text',
    author,
    updatedAt.slice(0, 19).replace('T', ' '),
  ])
  terminal.print(() =>
    rows.length === 0 ? 'No drafts.' : tableText(terminal, ['component', 'draft', 'by', 'at (UTC)'], rows),
  )
}
