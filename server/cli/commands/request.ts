// almanac request: submits a change list for approval instead of applying it.
import { AlmanacError } from '#kernel/errors/almanac-error.ts'
import { hasErrors } from '#kernel/errors/finding.ts'
import { UsageError } from '../fail.ts'
import { findingsText } from '../findings-text.ts'
import { changeListFromArgs } from '../change-list-args.ts'
import { planFromArgs } from '../plan-args.ts'
import { hasFlag, textOption, integerOption } from '../options.ts'
import type { ChangeListInput } from '../org-api.ts'
import { revertList, rollbackList } from '../restore.ts'
import { requestStatusText } from '../requests-text.ts'
import type { Call, Run } from '../command-definition.ts'

export const run: Run = async (call) => {
  const { terminal } = call
  const plan = planFromArgs(call)
  const { list, base } = await listOf(call)
  const { requests } = await call.org()
  const namedOption = (name: string, option: string): object => {
    const given = textOption(call, option)
    return given === undefined ? {} : { [name]: given }
  }
  terminal.progress('Validating …')
  const submission = await requests.create(list, {
    ...(base === undefined ? {} : { base }),
    ...plan,
    ...namedOption('rationale', 'rationale'),
    ...namedOption('title', 'title'),
    ...namedOption('applyOn', 'on'),
  })
  await terminal.data(submission)
  if (submission.findings.length > 0) terminal.print(() => findingsText(submission.findings, terminal))
  terminal.print(() => requestStatusText(submission, terminal))
}

interface RequestInput {
  list: ChangeListInput
  base?: number | undefined
}

/** @throws UsageError */
async function listOf(call: Call): Promise<RequestInput> {
  const rollback = integerOption(call, 'rollback')
  const revert = integerOption(call, 'revert')
  if (rollback !== undefined || revert !== undefined) {
    if (call.args.length > 0 || hasFlag(call, 'drafts') || (rollback !== undefined && revert !== undefined))
      throw new UsageError('Pass only one of: a directory, --drafts, --rollback, --revert.')
    return {
      list: revert === undefined ? rollbackList(call, rollback!) : revertList(call, revert),
      base: integerOption(call, 'base'),
    }
  }
  const input = await changeListFromArgs(call)
  if (hasErrors(input.findings))
    throw new AlmanacError('deploy.invalid', 'The change list has errors. Nothing was submitted.', {
      details: input.findings,
    })
  return { list: input.list, base: integerOption(call, 'base') ?? input.base }
}
