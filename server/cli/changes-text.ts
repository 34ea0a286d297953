// Changes for a terminal: what, before and after in words, and since when (completions 4).
import type { ChangeCounts } from '#kernel/change/index.ts'
import type { ShownChange } from './org-api.ts'
import { shownText } from './shown-text.ts'
import { tableText } from './table.ts'
import type { Terminal } from './terminal.ts'

const marks = { added: '+', changed: '~', renamed: '→', removed: '-' } as const
const mostRows = 40
const widestWords = 80

/** A row a change; of a long list the first, and how many more there are. */
export function changesText(changes: readonly ShownChange[], terminal: Terminal, all = false): string {
  if (changes.length === 0) return 'No differences.'
  const { paint } = terminal
  const colours = { added: paint.green, changed: paint.yellow, renamed: paint.cyan, removed: paint.red }
  const after = (words: ShownChange['words']): string => shownText(words.after, widestWords)
  const shown = all ? changes : changes.slice(0, mostRows)
  const rows = shown.map(({ kind, words, id, lacks }) => [
    colours[kind](marks[kind]),
    shownText(words.title, widestWords),
    kind === 'added' ? after(words) : `${shownText(words.before, widestWords)} → ${after(words)}`,
    words.takesEffect,
    paint.dim(id) + (lacks === null ? '' : paint.red(` lacks ${lacks}`)),
  ])
  const rest = changes.length - shown.length
  const more = rest > 0 ? `\n… and ${rest.toLocaleString('en')} more; --all shows them.` : ''
  return tableText(terminal, ['', 'what', 'before → after', 'takes effect', 'component'], rows) + more
}

/** `2 added, 1 changed.` */
export function changeCountsText(counts: ChangeCounts): string {
  const parts = (['added', 'changed', 'renamed', 'removed'] as const).filter((kind) => counts[kind] > 0)
  return parts.length === 0
    ? 'No differences.'
    : `${parts.map((kind) => `${counts[kind].toLocaleString('en')} ${kind}`).join(', ')}.`
}

export function countsOf(changes: readonly ShownChange[]): ChangeCounts {
  const counts: ChangeCounts = { added: 0, changed: 0, renamed: 0, removed: 0 }
  for (const { kind } of changes) counts[kind] += 1
  return counts
}
