// almanac request: submits a change list for approval instead of applying it (completions 4).
import { AlmanacError } from '#kernel/errors/almanac-error.ts'
import { hasErrors } from '#kernel/errors/finding.ts'
import { UsageError } from '../fail.ts'
import { findingsText } from '../findings-text.ts'
import { askedList } from '../given-list.ts'
import { namedPlan } from '../named-plan.ts'
import { flag, text, whole, wholeOf } from '../options.ts'
import type { GivenList } from '../org-api.ts'
import { revertList } from '../restore.ts'
import { standingText } from '../requests-text.ts'
import type { Call, Run } from '../verb.ts'

export const run: Run = async (call) => {
  const { terminal } = call
  const plan = namedPlan(call)
  const { list, base } = await listOf(call)
  const { requests } = await call.org()
  const named = (name: string, option: string): object => {
    const given = text(call, option)
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
  terminal.print(() => standingText(made, terminal))
}

interface Listed {
  list: GivenList
  base?: number | undefined
}

/** @throws UsageError */
async function listOf(call: Call): Promise<Listed> {
  const rollback = text(call, 'rollback')
  const revert = text(call, 'revert')
  if (rollback !== undefined || revert !== undefined) {
    if (call.args.length > 0 || flag(call, 'drafts') || (rollback !== undefined && revert !== undefined))
      throw new UsageError('Pass only one of: a directory, --drafts, --rollback, --revert.')
    return {
      list:
        revert === undefined
          ? { kind: 'generation', generation: wholeOf(rollback!, '--rollback') }
          : revertList(call, wholeOf(revert, '--revert')),
      base: whole(call, 'base'),
    }
  }
  const asked = await askedList(call)
  if (hasErrors(asked.findings))
    throw new AlmanacError('deploy.invalid', 'The change list has errors. Nothing was submitted.', {
      details: asked.findings,
    })
  return { list: asked.list, base: whole(call, 'base') ?? asked.base }
}
