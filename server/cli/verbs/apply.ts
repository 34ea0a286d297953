// almanac apply: applies changes in one transaction as one generation, or lists all errors (completions 4, 7).
import { AlmanacError } from '#kernel/errors/almanac-error.ts'
import { hasErrors } from '#kernel/errors/finding.ts'
import { rememberDropped } from '../../import/index.ts'
import { spendDrafts } from '../../pipeline/index.ts'
import { sayApplied } from '../applied-text.ts'
import { askedList } from '../given-list.ts'
import { namedPlan } from '../named-plan.ts'
import type { OrgTransactor } from '../../ports/org-store.ts'
import { keepHeapSmall } from '../../system/index.ts'
import { flag, text, whole } from '../options.ts'
import { UsageError } from '../fail.ts'
import type { Call, Run } from '../verb.ts'

export const run: Run = async (call) => {
  keepHeapSmall()
  const { terminal } = call
  const request = text(call, 'request')
  if (request !== undefined) return applyRequest(call, request)
  const base = whole(call, 'base')
  const plan = namedPlan(call)
  const asked = await askedList(call)
  if (hasErrors(asked.findings))
    throw new AlmanacError('deploy.invalid', 'The change list has errors. Nothing was applied.', {
      details: asked.findings,
    })
  // Repaired drafts are discarded in the transaction of the apply, so a kill cannot separate the two.
  const { drafts, dropped } = asked
  const spend = (transactor: OrgTransactor): void => {
    // A draft that was edited in the meantime is kept.
    spendDrafts(transactor, drafts)
    rememberDropped(transactor, dropped, asked.sight)
  }
  terminal.progress('Validating and applying …')
  const terms = {
    ...(base === undefined ? (asked.base === undefined ? {} : { base: asked.base }) : { base }),
    ...plan,
    ...(text(call, 'rationale') === undefined ? {} : { rationale: text(call, 'rationale')! }),
  }
  const applied =
    drafts.length > 0
      ? await (await call.localOrg()).apply(asked.list, terms, spend)
      : await (await call.org()).apply(asked.list, terms)
  await sayApplied(
    { ...applied, findings: [...asked.findings, ...applied.findings] },
    terminal,
    flag(call, 'all'),
  )
}

/** Applies an approved change request with the rights of its author. @throws UsageError */
async function applyRequest(call: Call, id: string): Promise<void> {
  if (call.args.length > 0 || flag(call, 'drafts'))
    throw new UsageError(
      'A change request already contains its change list. Omit the directory and --drafts.',
    )
  const { requests } = await call.org()
  await sayApplied(await requests.apply(id, text(call, 'plan')), call.terminal, flag(call, 'all'))
}
