// Changes for a terminal: component, values before and after, and effective date.
import type { ChangeCounts } from '#kernel/change/index.ts'
import type { LazyList } from '../pipeline/index.ts'
import type { ChangeView } from '#wire/index.ts'
import { printableText } from './printable-text.ts'
import { tableText } from './table.ts'
import type { Terminal } from './terminal.ts'

const marks = { added: '+', changed: '~', renamed: '→', removed: '-' } as const
const maxRows = 40
const maxWordsLength = 80

/** One row for each change; a long list is truncated, with the number of omitted rows. */
export function changesText(changes: LazyList<ChangeView>, terminal: Terminal, all = false): string {
  if (changes.length === 0) return 'No differences.'
  const { paint } = terminal
  const colours = { added: paint.green, changed: paint.yellow, renamed: paint.cyan, removed: paint.red }
  const after = (words: ChangeView['words']): string => printableText(words.after, maxWordsLength)
  const most = all ? changes.length : maxRows
  const rows: string[][] = []
  for (const { kind, words, id, lacks } of changes) {
    if (rows.length === most) break
    rows.push([
      colours[kind](marks[kind]),
      printableText(words.title, maxWordsLength),
      kind === 'added' ? after(words) : `${printableText(words.before, maxWordsLength)} → ${after(words)}`,
      words.takesEffect,
      paint.dim(id) + (lacks === null ? '' : paint.red(` lacks ${lacks}`)),
    ])
  }
  const rest = changes.length - rows.length
  const more = rest > 0 ? `\n… and ${rest.toLocaleString('en')} more; use --all to show them.` : ''
  return tableText(terminal, ['', 'what', 'before → after', 'takes effect', 'component'], rows) + more
}

/** `2 added, 1 changed.` */
export function changeCountsText(counts: ChangeCounts): string {
  const parts = (['added', 'changed', 'renamed', 'removed'] as const).filter((kind) => counts[kind] > 0)
  return parts.length === 0
    ? 'No differences.'
    : `${parts.map((kind) => `${counts[kind].toLocaleString('en')} ${kind}`).join(', ')}.`
}

export function countsOf(changes: Iterable<Pick<ChangeView, 'kind'>>): ChangeCounts {
  const counts: ChangeCounts = { added: 0, changed: 0, renamed: 0, removed: 0 }
  for (const { kind } of changes) counts[kind] += 1
  return counts
}
