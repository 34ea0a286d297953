// almanac validate: lists all findings of a directory or of the drafts; exits 1 if one is an error.
import { hasErrors, type Finding } from '#kernel/errors/finding.ts'
import { changeCountsText, changesText } from '../changes-text.ts'
import { exitCodes } from '../fail.ts'
import { findingsText, repairHints } from '../findings-text.ts'
import { changeListFromArgs, repairsOf } from '../change-list-args.ts'
import { hasFlag } from '../options.ts'
import type { Call, Run } from '../verb.ts'

export const run: Run = async (call) => {
  const { terminal } = call
  const { findings, total } = await findingsOf(call)
  await terminal.data({ findings, total })
  terminal.print(() => (findings.length === 0 ? 'No findings.' : findingsText(findings, terminal, total)))
  for (const hint of repairHints(findings)) terminal.print(terminal.paint.dim(hint))
  return hasErrors(findings) ? exitCodes.failed : exitCodes.done
}

async function findingsOf(call: Call): Promise<{ findings: Finding[]; total: number }> {
  const { terminal } = call
  const [dir] = call.args
  if (call.orgPlace === null && dir !== undefined && repairsOf(call).length === 0) {
    const { validateDirectory } = await import('../validate-directory.ts')
    terminal.note(
      'No org is named. The directory is validated on its own, and users and groups are assumed to exist.',
    )
    const findings = await validateDirectory(dir)
    return { findings, total: findings.length }
  }
  const { list, findings } = await changeListFromArgs(call)
  const plan = await (await call.org()).plan(list)
  if (repairsOf(call).length > 0) {
    terminal.print(() => changesText(plan.changes, terminal, hasFlag(call, 'all')))
    terminal.print(changeCountsText(plan.counts))
  }
  return { findings: [...findings, ...plan.findings], total: findings.length + plan.findingsTotal }
}
