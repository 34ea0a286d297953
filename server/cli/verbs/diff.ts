// almanac diff: compares a directory or the drafts with the active generation, or two generations; exits 3 on changes.
import { changeCountsText, changesText, countsOf } from '../changes-text.ts'
import { exitCodes, UsageError } from '../fail.ts'
import { findingsText } from '../findings-text.ts'
import { askedList } from '../given-list.ts'
import { flag, whole } from '../options.ts'
import type { Rows } from '../../pipeline/index.ts'
import { planName } from '../named-plan.ts'
import type { ShownChange, ShownPlan } from '../org-api.ts'
import type { Call, Run } from '../verb.ts'
import { hasErrors } from '#kernel/errors/finding.ts'

export const run: Run = async (call) => {
  const { terminal } = call
  const compared = await changesOf(call)
  if (compared === null) return exitCodes.failed
  const { changes, plan } = compared
  await terminal.data({ changes, ...(plan === undefined ? {} : { plan }) })
  terminal.print(() => changesText(changes, terminal, flag(call, 'all')))
  if (changes.length > 0) terminal.print(() => changeCountsText(countsOf(changes)))
  if (plan !== undefined && changes.length > 0) terminal.print(terminal.paint.dim(`Plan ${planName(plan)}`))
  return changes.length === 0 ? exitCodes.done : exitCodes.differs
}

interface Compared {
  changes: Rows<ShownChange>
  /** The plan of a change list, as `apply --plan` takes it. */
  plan?: Pick<ShownPlan, 'lineage' | 'base' | 'changeDigest'>
}

/** Null if the list could not be read; its findings have been printed. */
async function changesOf(call: Call): Promise<Compared | null> {
  const { terminal } = call
  const from = whole(call, 'from')
  if (from !== undefined) {
    if (call.args[0] !== undefined || flag(call, 'drafts'))
      throw new UsageError('--from compares generations. Omit the directory and --drafts.')
    return { changes: await (await call.org()).between(from, whole(call, 'to')) }
  }
  if (whole(call, 'to') !== undefined) throw new UsageError('--to needs --from.')
  const { list, findings } = await askedList(call)
  const plan = await (await call.org()).plan(list)
  const unread = [...findings, ...plan.findings].filter(({ code }) =>
    /^(files|draft|body|envelope|key|repair)\./.test(code),
  )
  if (unread.length > 0) terminal.note(findingsText(unread, terminal))
  const { lineage, base, changeDigest, changes } = plan
  if (!hasErrors(unread)) return { changes, plan: { lineage, base, changeDigest } }
  await terminal.data({ changes, findings: unread })
  return null
}
