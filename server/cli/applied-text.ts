// What an apply did, in both forms (completions 7: apply --json).
import { changeCountsText, changesText, countsOf } from './changes-text.ts'
import { findingsText } from './findings-text.ts'
import type { Applied } from './org-api.ts'
import type { Terminal } from './terminal.ts'

export function sayApplied(
  { generation, unchanged, changes, findings, ms }: Applied,
  terminal: Terminal,
  all: boolean,
): void {
  terminal.data({ generation, changes, findings, ms })
  if (findings.length > 0) terminal.print(() => findingsText(findings, terminal))
  if (unchanged) return terminal.print(`Nothing changed; generation ${generation} stays active.`)
  terminal.print(() => changesText(changes, terminal, all))
  terminal.print(
    `${terminal.paint.green(`Generation ${generation} is active.`)} ${changeCountsText(countsOf(changes))} ${Math.round(ms)} ms.`,
  )
}
