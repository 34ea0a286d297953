// almanac drafts: lists or discards drafts. Without --of, --discard discards only the drafts of the acting user.
import { AlmanacError } from '#kernel/errors/almanac-error.ts'
import { didYouMean } from '#kernel/errors/suggest.ts'
import type { DraftRow } from '#wire/index.ts'
import { hasFlag, listOption } from '../options.ts'
import { tableText } from '../table.ts'
import { countText } from '../terminal.ts'
import type { Call, Run } from '../command-definition.ts'
import { writerText } from '../writer-text.ts'

export const run: Run = async (call) => {
  const { terminal } = call
  if (hasFlag(call, 'discard')) return discard(call)
  const authors = listOption(call, 'of')
  const all = await (await call.org()).drafts()
  const drafts = authors.length === 0 ? all : all.filter(({ author }) => authors.includes(author))
  await terminal.data({ drafts })
  const rows = drafts.map((draft) => [
    draft.id,
    draft.text === null ? 'removes' : 'text',
    writersText(draft),
    draft.updatedAt.slice(0, 19).replace('T', ' '),
  ])
  terminal.print(() =>
    rows.length === 0 ? 'No drafts.' : tableText(terminal, ['component', 'draft', 'by', 'at (UTC)'], rows),
  )
}

async function discard(call: Call): Promise<void> {
  const { terminal } = call
  const local = await call.localOrg()
  local.requireAuthor()
  const { org, actor, by, viewer } = local
  const authors = listOption(call, 'of')
  const users = org.store.read((reader) => reader.people.users().map(({ key }) => key))
  const unknown = authors.find((author) => !users.includes(author))
  if (unknown !== undefined)
    throw new AlmanacError(
      'user.not_found',
      `The user "${unknown}" does not exist in this org.${didYouMean(unknown, users)}`,
    )
  const { discarded, left } = await org.discardDraftsOf(authors.length === 0 ? [actor] : authors, {
    actor: by,
    viewer,
  })
  await terminal.data({ discarded, left })
  terminal.print(`${countText(discarded, 'draft')} discarded.`)
  if (left > 0)
    terminal.note(`${countText(left, 'draft')} of other users kept. Use --of <user> to discard them.`)
}

function writersText({ writers }: DraftRow): string {
  return writers.map(writerText).join(', then ')
}
