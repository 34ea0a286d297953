// Formats the result of an apply as text and as JSON.
import { formatBytes, type Budget } from '#kernel/change/index.ts'
import { changeCountsText, changesText } from './changes-text.ts'
import { findingsText } from './findings-text.ts'
import type { AppliedList } from './org-api.ts'
import type { Terminal } from './terminal.ts'

export async function printApplyResult(
  { generation, unchanged, changes, counts, findings, findingsTotal, budget, ms }: AppliedList,
  terminal: Terminal,
  all: boolean,
): Promise<void> {
  await terminal.data({ generation, changes, findings, findingsTotal, budget, ms })
  if (findings.length > 0) terminal.print(() => findingsText(findings, terminal, findingsTotal))
  if (unchanged) return terminal.print(`Nothing changed; generation ${generation} stays active.`)
  terminal.print(() => changesText(changes, terminal, all))
  terminal.print(
    `${terminal.paint.green(`Generation ${generation} is active.`)} ${changeCountsText(counts)} ${Math.round(ms)} ms.`,
  )
  if (budget !== null) terminal.print(budgetText(budget))
}

function budgetText({ used, added, left }: Budget): string {
  const change = added < 0 ? `${formatBytes(-added)} freed` : `${formatBytes(added)} added`
  return `Slices: ${formatBytes(used)} used, ${change}, ${formatBytes(left)} left.`
}
