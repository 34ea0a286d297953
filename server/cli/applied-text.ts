// What an apply did, in both forms (completions 7: apply --json).
import { changeCountsText, changesText } from './changes-text.ts'
import { findingsText } from './findings-text.ts'
import type { Applied } from './org-api.ts'
import type { Terminal } from './terminal.ts'

export async function sayApplied(
  { generation, unchanged, changes, counts, findings, ms }: Applied,
  terminal: Terminal,
  all: boolean,
): Promise<void> {
  await terminal.data({ generation, changes, findings, ms })
  if (findings.length > 0) terminal.print(() => findingsText(findings, terminal))
  if (unchanged) return terminal.print(`Nothing changed; generation ${generation} stays active.`)
  terminal.print(() => changesText(changes, terminal, all))
  terminal.print(
    `${terminal.paint.green(`Generation ${generation} is active.`)} ${changeCountsText(counts)} ${Math.round(ms)} ms.`,
  )
}
