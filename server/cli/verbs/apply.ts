// almanac apply: applies changes in one transaction as one generation, or lists all errors.
import { AlmanacError } from '#kernel/errors/almanac-error.ts'
import { hasErrors } from '#kernel/errors/finding.ts'
import { saveDroppedEntries } from '../../import/index.ts'
import { consumeDrafts } from '../../pipeline/index.ts'
import { printApplyResult } from '../apply-text.ts'
import { changeListFromArgs } from '../change-list-args.ts'
import { planFromArgs } from '../plan-args.ts'
import type { OrgTransactor } from '../../ports/org-store.ts'
import { limitHeapGrowth } from '../../system/index.ts'
import { hasFlag, textOption, integerOption } from '../options.ts'
import { UsageError } from '../fail.ts'
import type { Call, Run } from '../verb.ts'

export const run: Run = async (call) => {
  limitHeapGrowth()
  const { terminal } = call
  const request = textOption(call, 'request')
  if (request !== undefined) return applyRequest(call, request)
  const base = integerOption(call, 'base')
  const plan = planFromArgs(call)
  const asked = await changeListFromArgs(call)
  if (hasErrors(asked.findings))
    throw new AlmanacError('deploy.invalid', 'The change list has errors. Nothing was applied.', {
      details: asked.findings,
    })
  // Repaired drafts are discarded in the transaction of the apply, so a kill cannot separate the two.
  const { drafts, dropped } = asked
  const spend = (transactor: OrgTransactor): void => {
    // A draft that was edited in the meantime is kept.
    consumeDrafts(transactor, drafts)
    saveDroppedEntries(transactor, dropped, asked.viewer)
  }
  terminal.progress('Validating and applying …')
  const terms = {
    ...(base === undefined ? (asked.base === undefined ? {} : { base: asked.base }) : { base }),
    ...plan,
    ...(textOption(call, 'rationale') === undefined ? {} : { rationale: textOption(call, 'rationale')! }),
  }
  const applied =
    drafts.length > 0
      ? await (await call.localOrg()).apply(asked.list, terms, spend)
      : await (await call.org()).apply(asked.list, terms)
  await printApplyResult(
    { ...applied, findings: [...asked.findings, ...applied.findings] },
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
