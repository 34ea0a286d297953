// almanac diff: compares a directory or the drafts with the active generation, or two generations; exits 3 on changes.
import { changeCountsText, changesText, countsOf } from '../changes-text.ts'
import { exitCodes, UsageError } from '../fail.ts'
import { findingsText } from '../findings-text.ts'
import { changeListFromArgs } from '../change-list-args.ts'
import { hasFlag, integerOption } from '../options.ts'
import type { LazyList } from '../../pipeline/index.ts'
import { planName } from '../plan-args.ts'
import type { ChangeView } from '#wire/index.ts'
import type { PlanName } from '../org-api.ts'
import type { Call, Run } from '../command-definition.ts'
import { hasErrors } from '#kernel/errors/finding.ts'

export const run: Run = async (call) => {
  const { terminal } = call
  const compared = await changesOf(call)
  if (compared === null) return exitCodes.failed
  const { changes, plan } = compared
  await terminal.data({ changes, ...(plan === undefined ? {} : { plan }) })
  terminal.print(() => changesText(changes, terminal, hasFlag(call, 'all')))
  if (changes.length > 0) terminal.print(() => changeCountsText(countsOf(changes)))
  if (plan !== undefined && changes.length > 0) terminal.print(terminal.paint.dim(`Plan ${planName(plan)}`))
  return changes.length === 0 ? exitCodes.done : exitCodes.differs
}

interface Difference {
  changes: LazyList<ChangeView>
  /** The plan of a change list, as `apply --plan` takes it. */
  plan?: PlanName
}

/** Null if the list could not be read; its findings have been printed. */
async function changesOf(call: Call): Promise<Difference | null> {
  const { terminal } = call
  const from = integerOption(call, 'from')
  if (from !== undefined) {
    if (call.args[0] !== undefined || hasFlag(call, 'drafts'))
      throw new UsageError('--from compares generations. Omit the directory and --drafts.')
    return { changes: await (await call.org()).diff(from, integerOption(call, 'to')) }
  }
  if (integerOption(call, 'to') !== undefined) throw new UsageError('--to needs --from.')
  const { list, findings } = await changeListFromArgs(call)
  const { plan, changes, findings: planned } = await (await call.org()).plan(list)
  // A description that is not the one of its hash is a difference that no change shows.
  const unread = [...findings, ...planned].filter(({ code }) =>
    /^((files|draft|body|envelope|key|repair)\.|service\.hash$)/.test(code),
  )
  if (unread.length > 0) terminal.note(findingsText(unread, terminal))
  const { lineage, base, changeDigest } = plan
  if (!hasErrors(unread)) return { changes, plan: { lineage, base, changeDigest } }
  await terminal.data({ changes, findings: unread })
  return null
}
