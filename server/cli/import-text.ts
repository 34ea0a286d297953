// What an import found and where it was put, in both forms.
import type { Finding } from '#kernel/errors/finding.ts'
import type { ImportFacts } from '../import/index.ts'
import { changeCountsText, changesText, countsOf } from './changes-text.ts'
import { findingsText, repairHints } from './findings-text.ts'
import { flag } from './options.ts'
import type { ShownChange } from './org-api.ts'
import { count } from './terminal.ts'
import type { Call } from './verb.ts'

export interface SaidImport {
  facts: ImportFacts
  changes: readonly ShownChange[]
  findings: readonly Finding[]
  /** How many drafts were kept, or the directory. */
  drafts?: number
  out?: string
}

export function sayImport(call: Call, { facts, changes, findings, drafts, out }: SaidImport): void {
  const { terminal } = call
  const kept = out === undefined ? { drafts: drafts ?? 0 } : { out }
  terminal.data({ ...facts, changes, findings, ...kept })
  terminal.print(factsText(facts))
  terminal.print(() => changesText(changes, terminal, flag(call, 'all')))
  if (changes.length > 0) terminal.print(changeCountsText(countsOf(changes)))
  if (findings.length > 0) terminal.print(() => findingsText(findings, terminal))
  for (const hint of repairHints(findings)) terminal.print(terminal.paint.dim(hint))
  if (out !== undefined) terminal.print(`The components are in ${out}; "almanac apply ${out}" applies them.`)
  else if (changes.length > 0)
    terminal.print(
      `${count(drafts ?? 0, 'draft')} kept for review; "almanac validate --drafts" and "almanac apply --drafts" go on.`,
    )
}

export function factsText({
  rows,
  keys,
  entries,
  skipped,
  keptAsEdited,
  encoding,
  delimiter,
}: ImportFacts): string {
  const left = skipped === 0 ? '' : `, ${count(skipped, 'row')} left out by the map`
  const edited =
    keptAsEdited === 0
      ? ''
      : `\n${count(keptAsEdited, 'entry', 'entries')} as at the last import, and repaired or edited here since: left as they are. --again takes the file’s.`
  return `${count(rows, 'row')}, ${count(keys, 'key')}, ${count(entries, 'entry', 'entries')}${left} (${encoding}, ${JSON.stringify(delimiter)} between cells).${edited}`
}
