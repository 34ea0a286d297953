// almanac request: submits a change list for approval instead of applying it.
import { AlmanacError } from '#kernel/errors/almanac-error.ts'
import { hasErrors } from '#kernel/errors/finding.ts'
import { UsageError } from '../fail.ts'
import { findingsText } from '../findings-text.ts'
import { changeListFromArgs } from '../change-list-args.ts'
import { planFromArgs } from '../plan-args.ts'
import { hasFlag, textOption, integerOption } from '../options.ts'
import type { ChangeListInput } from '../org-api.ts'
import { revertList } from '../restore.ts'
import { requestStatusText } from '../requests-text.ts'
import type { Call, Run } from '../command-definition.ts'

export const run: Run = async (call) => {
  const { terminal } = call
  const plan = planFromArgs(call)
  const { list, base } = await listOf(call)
  const { requests } = await call.org()
  const named = (name: string, option: string): object => {
    const given = textOption(call, option)
    return given === undefined ? {} : { [name]: given }
  }
  terminal.progress('Validating …')
  const made = await requests.create(list, {
    ...(base === undefined ? {} : { base }),
    ...plan,
    ...named('rationale', 'rationale'),
    ...named('title', 'title'),
    ...named('applyOn', 'on'),
  })
  await terminal.data(made)
  if (made.findings.length > 0) terminal.print(() => findingsText(made.findings, terminal))
  terminal.print(() => requestStatusText(made, terminal))
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
      list: revert === undefined ? { kind: 'generation', generation: rollback! } : revertList(call, revert),
      base: integerOption(call, 'base'),
    }
  }
  const asked = await changeListFromArgs(call)
  if (hasErrors(asked.findings))
    throw new AlmanacError('deploy.invalid', 'The change list has errors. Nothing was submitted.', {
      details: asked.findings,
    })
  return { list: asked.list, base: integerOption(call, 'base') ?? asked.base }
}
