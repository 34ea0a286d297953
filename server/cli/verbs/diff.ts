// almanac diff: a directory or the drafts against the active generation, or two generations; exits 3 where they differ.
import { changeCountsText, changesText, countsOf } from '../changes-text.ts'
import { exitCodes, UsageError } from '../fail.ts'
import { findingsText } from '../findings-text.ts'
import { askedList } from '../given-list.ts'
import { flag, whole } from '../options.ts'
import type { Rows } from '../../pipeline/index.ts'
import type { ShownChange } from '../org-api.ts'
import type { Call, Run } from '../verb.ts'
import { hasErrors } from '#kernel/errors/finding.ts'

export const run: Run = async (call) => {
  const { terminal } = call
  const changes = await changesOf(call)
  if (changes === null) return exitCodes.failed
  await terminal.data({ changes })
  terminal.print(() => changesText(changes, terminal, flag(call, 'all')))
  if (changes.length > 0) terminal.print(() => changeCountsText(countsOf(changes)))
  return changes.length === 0 ? exitCodes.done : exitCodes.differs
}

/** Null where the list could not be read; its findings are said. */
async function changesOf(call: Call): Promise<Rows<ShownChange> | null> {
  const { terminal } = call
  const from = whole(call, 'from')
  if (from !== undefined) {
    if (call.args[0] !== undefined || flag(call, 'drafts'))
      throw new UsageError('--from compares generations; leave the directory or --drafts out.')
    return (await call.org()).between(from, whole(call, 'to'))
  }
  if (whole(call, 'to') !== undefined) throw new UsageError('--to needs --from.')
  const { list, findings } = await askedList(call)
  const plan = await (await call.org()).plan(list)
  const unread = [...findings, ...plan.findings].filter(({ code }) =>
    /^(files|draft|body|envelope|key|repair)\./.test(code),
  )
  if (unread.length > 0) terminal.note(findingsText(unread, terminal))
  if (!hasErrors(unread)) return plan.changes
  await terminal.data({ changes: plan.changes, findings: unread })
  return null
}
