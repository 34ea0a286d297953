// almanac validate: lists all findings of a directory or of the drafts; exits 1 if one is an error
// (docs/how-to/keep-a-repository-of-components.md).
import { hasErrors, type Finding } from '#kernel/errors/finding.ts'
import { changeCountsText, changesText } from '../changes-text.ts'
import { exitCodes, UsageError } from '../fail.ts'
import { findingsText, repairHints } from '../findings-text.ts'
import { changeListFromArgs, repairsOf } from '../change-list-args.ts'
import { githubAnnotations } from '../github-annotations.ts'
import { choiceOption, hasFlag } from '../options.ts'
import { sarifLog } from '../sarif.ts'
import { countText } from '../terminal.ts'
import type { Call, Run } from '../command-definition.ts'

const formats = ['text', 'json', 'github', 'sarif'] as const
type Format = (typeof formats)[number]

interface FoundFindings {
  findings: Finding[]
  /** More than the list has if it is cut. */
  total: number
}

export const run: Run = async (call) => {
  const format = formatOf(call)
  const result = await findingsOf(call, format)
  await print(call, format, result)
  return hasErrors(result.findings) ? exitCodes.failed : exitCodes.done
}

/** @throws UsageError */
function formatOf(call: Call): Format {
  const format = choiceOption(call, 'format', formats)
  if (!hasFlag(call, 'json')) return format ?? 'text'
  if (format !== undefined && format !== 'json')
    throw new UsageError(`--json and --format ${format} contradict each other. Pass one of them.`)
  return 'json'
}

async function print(call: Call, format: Format, { findings, total }: FoundFindings): Promise<void> {
  const { terminal } = call
  if (format === 'github' || format === 'sarif') {
    const dir = directoryOf(call)
    terminal.raw(
      format === 'github'
        ? githubAnnotations(findings, dir)
        : `${JSON.stringify(sarifLog(findings, dir), null, 2)}\n`,
    )
    if (total > findings.length)
      terminal.note(`${countText(total - findings.length, 'more finding')}. Fix these first.`)
    return
  }
  await terminal.data({ findings, total })
  terminal.print(() => (findings.length === 0 ? 'No findings.' : findingsText(findings, terminal, total)))
  for (const hint of repairHints(findings)) terminal.print(terminal.paint.dim(hint))
}

/** Undefined for drafts; their argument is "all". */
function directoryOf(call: Call): string | undefined {
  return hasFlag(call, 'drafts') ? undefined : call.args[0]
}

async function findingsOf(call: Call, format: Format): Promise<FoundFindings> {
  const { terminal } = call
  const [dir] = call.args
  if (call.orgPlace === null && dir !== undefined && repairsOf(call).length === 0) {
    const { validateDirectory } = await import('../validate-directory.ts')
    terminal.note(
      'No org was specified, so the directory is validated on its own; users and groups are assumed to exist.',
    )
    const findings = await validateDirectory(dir)
    return { findings, total: findings.length }
  }
  const { list, findings } = await changeListFromArgs(call)
  const plan = await (await call.org()).plan(list)
  if (repairsOf(call).length > 0 && format === 'text') {
    terminal.print(() => changesText(plan.changes, terminal, hasFlag(call, 'all')))
    terminal.print(changeCountsText(plan.plan.counts))
  }
  return { findings: [...findings, ...plan.findings], total: findings.length + plan.findingsTotal }
}
