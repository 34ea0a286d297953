// A change list of a request as the pipeline takes it, and the pipeline's answer as the surface gives it.
import { AlmanacError } from '#kernel/errors/almanac-error.ts'
import type { ComponentId } from '#kernel/components/component.ts'
import type { Finding } from '#kernel/errors/finding.ts'
import { plannedChanges, nobleSha256, type Budget, type Plan } from '#kernel/change/index.ts'
import type { ApplyOutcome, ChangeRequest, ChangeSource, PlanOutcome } from '../../pipeline/index.ts'
import type { SignedInRequest } from '../route.ts'
import { changeViews, type ChangeView } from './change-view.ts'
import { mostChanges } from './generation-changes.ts'

export interface SentChangeList {
  components?: unknown[] | undefined
  removals?: ComponentId[] | undefined
  prune?: boolean | undefined
  drafts?: true | ComponentId[] | undefined
  rationale?: string | undefined
  base?: number | undefined
  changeDigest?: string | undefined
}

type Asker = Pick<SignedInRequest<unknown, unknown, unknown>, 'services' | 'access' | 'visibility' | 'by'>

/** @throws AlmanacError `request.malformed` where it names both drafts and components, or neither. */
export function changeRequestOf({ access, by }: Asker, list: SentChangeList): ChangeRequest {
  const { base, changeDigest, rationale } = list
  return {
    source: sourceOf(list),
    ...(base === undefined ? {} : { base }),
    ...(changeDigest === undefined ? {} : { changeDigest }),
    ...(rationale === undefined ? {} : { rationale }),
    actor: access.user,
    correlationId: by.correlationId,
  }
}

function sourceOf({ components, removals, prune, drafts }: SentChangeList): ChangeSource {
  const sent = components !== undefined || removals !== undefined || prune !== undefined
  if (drafts !== undefined && sent)
    throw new AlmanacError('request.malformed', 'Send drafts, or components and removals; not both.')
  if (drafts !== undefined) return drafts === true ? { kind: 'drafts' } : { kind: 'drafts', ids: drafts }
  if (!sent)
    throw new AlmanacError(
      'request.malformed',
      'The change list is empty. Send components, removals or drafts.',
    )
  return {
    kind: 'components',
    components: components ?? [],
    ...(removals === undefined ? {} : { removals }),
    ...(prune === undefined ? {} : { prune }),
  }
}

export interface PlanView {
  plan: Plan
  changes: ChangeView[]
  /** How many changes there are, where the list is cut. */
  total: number
  findings: Finding[]
  budget: Budget
}

/** The plan of a change list, as whoever asks may see it. */
export async function askedPlan(asker: Asker, list: SentChangeList): Promise<PlanView> {
  return planView(
    asker,
    await asker.services.org.plan({ ...changeRequestOf(asker, list), most: mostChanges }),
  )
}

export function planView(asker: Asker, outcome: PlanOutcome): PlanView {
  const { lineage, base, changeDigest, counts, findings, budget, changes, total } = outcome
  const planned = plannedChanges(
    changes.map(({ change }) => change),
    nobleSha256,
    // The digest of what is hidden could be guessed at.
  ).map((each, at) => (changes[at]!.hidden === 'both' ? { ...each, digest: null } : each))
  return {
    plan: { lineage, base, changeDigest, changes: planned, counts, findings, budget },
    changes: changeViews({ ...asker, rows: changes, findings }),
    total,
    findings,
    budget,
  }
}

/** An applied list, its time counted. */
export function appliedView(asker: Asker, outcome: ApplyOutcome): object {
  const { generation, findings, ms, changes } = outcome
  asker.services.metrics.observeApply(ms)
  return { generation, changes: changeViews({ ...asker, rows: changes, findings }), findings, ms }
}
