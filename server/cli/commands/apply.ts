// almanac apply: applies changes in one transaction as one generation, or lists all errors.
import { AlmanacError } from '#kernel/errors/almanac-error.ts'
import { hasErrors } from '#kernel/errors/finding.ts'
import { repairCompanion } from '../../import/index.ts'
import { printApplyResult } from '../apply-text.ts'
import { changeListFromArgs, type ChangeListArgs } from '../change-list-args.ts'
import { planFromArgs } from '../plan-args.ts'
import type { LocalOrg } from '../local-org.ts'
import type { ApplyOptions, AppliedList } from '../org-api.ts'
import { limitHeapGrowth } from '../../system/index.ts'
import { hasFlag, textOption, integerOption } from '../options.ts'
import { UsageError } from '../fail.ts'
import type { Call, Run } from '../command-definition.ts'

export const run: Run = async (call) => {
  limitHeapGrowth()
  const { terminal } = call
  const request = textOption(call, 'request')
  if (request !== undefined) return applyRequest(call, request)
  const base = integerOption(call, 'base')
  const plan = planFromArgs(call)
  const input = await changeListFromArgs(call)
  if (hasErrors(input.findings))
    throw new AlmanacError('deploy.invalid', 'The change list has errors. Nothing was applied.', {
      details: input.findings,
    })
  const { drafts } = input
  terminal.progress('Validating and applying …')
  const terms = {
    ...(base === undefined ? (input.base === undefined ? {} : { base: input.base }) : { base }),
    ...plan,
    ...(textOption(call, 'rationale') === undefined ? {} : { rationale: textOption(call, 'rationale')! }),
  }
  const applied =
    drafts.length > 0
      ? await applyRepaired(await call.localOrg(), input, terms)
      : await (await call.org()).apply(input.list, terms)
  await printApplyResult(
    { ...applied, findings: [...input.findings, ...applied.findings] },
    terminal,
    hasFlag(call, 'all'),
  )
}

/** Applies an approved change request with the rights of its author. @throws UsageError */
async function applyRequest(call: Call, id: string): Promise<void> {
  if (call.args.length > 0 || hasFlag(call, 'drafts'))
    throw new UsageError(
      'A change request already contains its change list. Omit the directory and --drafts.',
    )
  const { requests } = await call.org()
  await printApplyResult(
    await requests.apply(id, textOption(call, 'plan')),
    call.terminal,
    hasFlag(call, 'all'),
  )
}

/** Discards the repaired drafts in the transaction of the apply, so that a kill cannot separate the two. */
function applyRepaired(
  org: LocalOrg,
  { list, drafts, dropped, viewer }: ChangeListArgs,
  options: ApplyOptions,
): Promise<AppliedList> {
  const user = viewer === null ? null : org.actor
  return org.apply(list, options, repairCompanion({ drafts, dropped, user }))
}
