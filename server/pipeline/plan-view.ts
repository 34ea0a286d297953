// A plan and the result of an apply as every interface shows them.
import { nobleSha256, plannedChanges, type PlannedChange } from '#kernel/change/index.ts'
import type { AppliedViewOf, ChangeView, PlanViewOf } from '#wire/index.ts'
import type { EffectiveAccess } from '../access/index.ts'
import { changeViews } from './change-views.ts'
import { lazyMap, type LazyList } from './lazy-list.ts'
import type { ApplyOutcome, ChangeRow, PlanOutcome } from './request.ts'

type Requester = Pick<EffectiveAccess, 'user'>

/** The changes are created as they are read. */
export type LazyPlanView = PlanViewOf<LazyList<ChangeView>, LazyList<PlannedChange>>
export type LazyAppliedView = AppliedViewOf<LazyList<ChangeView>>

export function planView(outcome: PlanOutcome, access: Requester): LazyPlanView {
  const { lineage, base, changeDigest, counts, findings, denials, budget, changes, total, closure } = outcome
  const { index, findingsTotal } = outcome
  return {
    plan: {
      lineage,
      base,
      changeDigest,
      changes: lazyMap(changes, plannedChange),
      counts,
      findings,
      budget,
    },
    changes: changeViews({ rows: changes, findings, access }),
    total,
    findings,
    findingsTotal,
    denials,
    budget,
    ...(closure === undefined ? {} : { closure }),
    ...(index === undefined ? {} : { index }),
  }
}

/** Hidden content could be guessed from its digest. */
function plannedChange({ change, hidden }: ChangeRow): PlannedChange {
  const [planned] = plannedChanges([change], nobleSha256) as [PlannedChange]
  if (hidden === undefined) return planned
  return { ...planned, before: null, digest: hidden === 'both' ? null : planned.digest }
}

export function appliedView(outcome: ApplyOutcome, access: Requester): LazyAppliedView {
  const { generation, counts, findings, findingsTotal, budget, ms, changes } = outcome
  return {
    generation,
    changes: changeViews({ rows: changes, findings, access }),
    counts,
    findings,
    findingsTotal,
    budget,
    ms,
  }
}
