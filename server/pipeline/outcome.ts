// What is reported of a prepared change list, truncated to the requested length
// (docs/reference/pipeline-and-approvals.md).
import {
  countChanges,
  OverlayView,
  type Budget,
  type Change,
  type ChangeCounts,
} from '#kernel/change/index.ts'
import type { Finding } from '#kernel/errors/finding.ts'
import { hasErrors } from '#kernel/errors/finding.ts'
import type { PreparedChanges } from './prepare.ts'
import type { ChangePage, ChangeRow, IndexedChange, PlanOutcome } from './request.ts'
import { concatLists, lazyMap } from './lazy-list.ts'
import { canSeeWholeOrg, redactBudget } from './budget-redaction.ts'
import { closureView } from './selection.ts'
import { changesForAuthor, changesForViewer, hiddenOf, rowOf } from './change-redaction.ts'

export function outcomeOf(prepared: PreparedChanges, ms: number): PlanOutcome {
  const { plan, request, closure } = prepared
  const { findings, denials } = prepared.assessment
  const { source } = request
  const most = request.most ?? Infinity
  const errorsFirst = findings.length > most ? bySeverity(findings).slice(0, most) : [...findings]
  return {
    lineage: plan.lineage,
    base: plan.base,
    changeDigest: prepared.changeDigest,
    budget: budgetForAudience(prepared),
    ...changesOf(prepared, request.page ?? { from: 0, count: most }),
    findings: errorsFirst,
    findingsTotal: findings.length,
    refused: hasErrors(plan.findings),
    denials: denials.slice(0, most),
    ...(closure === null
      ? {}
      : { closure: closureView(closure, source.kind === 'drafts' && source.dependencies === true, most) }),
    ms,
  }
}

/** As shown to the audience. */
export function budgetForAudience(prepared: PreparedChanges): Budget {
  const { plan, candidate, audience, baseView } = prepared
  if (canSeeWholeOrg(audience.viewer, baseView)) return plan.budget
  const seesAll = audience.isAuthor
    ? prepared.canSeeAll
    : changesForAudience(prepared).length === candidate.changes.length
  return redactBudget(plan.budget, audience.viewer, seesAll)
}

/** The changes that are shown to the audience, without those that depend on sets that they cannot see. */
export function changesForAudience(prepared: PreparedChanges): readonly Change[] {
  const { candidate, viewer, writtenIds, audience, hiddenRestores } = prepared
  if (audience.isAuthor) return changesForAuthor(candidate.changes, viewer, writtenIds)
  const shown = changesForViewer(candidate.changes, audience.viewer)
  return hiddenRestores.size === 0 ? shown : shown.filter(({ id }) => !hiddenRestores.has(id))
}

function unseenChangesForAudience({ unseenChanges, audience }: PreparedChanges): readonly Change[] {
  const notSeen = unseenChanges?.changes ?? []
  return audience.isAuthor ? notSeen : changesForViewer(notSeen, audience.viewer)
}

/** Counts the changes that are shown to the audience. */
export function countsForAudience(prepared: PreparedChanges): ChangeCounts {
  return countsOf(prepared, [...changesForAudience(prepared), ...unseenChangesForAudience(prepared)])
}

function countsOf({ viewer, audience, plan }: PreparedChanges, changes: readonly Change[]): ChangeCounts {
  return viewer === null && audience.isAuthor ? plan.counts : countChanges(changes)
}

/** The rows keep only the changes and the views that give them words, and nothing else of what was prepared. */
function changesOf(
  prepared: PreparedChanges,
  { from, count }: ChangePage,
): Pick<PlanOutcome, 'changes' | 'total' | 'counts' | 'hidden' | 'index'> {
  const { candidate, denials, baseView, viewer, unseenChanges, writtenIds, audience, request } = prepared
  const notSeen = unseenChanges?.changes ?? []
  const all = changesForAudience(prepared)
  const allUnseen = unseenChangesForAudience(prepared)
  const open = from === 0 && all.length <= count ? all : all.slice(from, from + count)
  const besideFrom = Math.max(0, from - all.length)
  const beside = allUnseen.slice(besideFrom, besideFrom + Math.max(0, count - open.length))
  const lacks = new Map<string, string[]>()
  for (const { id, permission } of denials) lacks.set(id, [...(lacks.get(id) ?? []), permission])
  const { view } = candidate
  // Each of many removed entries needs the same few definitions, which this view caches.
  const base = new OverlayView(baseView)
  const hiddenGround = unseenChanges?.view
  const ofOpen = (change: Change): ChangeRow => {
    const hidden =
      viewer === null || !audience.isAuthor ? undefined : hiddenOf(change, viewer, writtenIds.has(change.id))
    return rowOf(change, change.kind === 'removed' ? base : view, lacks.get(change.id) ?? [], hidden)
  }
  const ofUnseen = (change: Change): ChangeRow =>
    rowOf(change, hiddenGround!, lacks.get(change.id) ?? [], change.kind === 'added' ? undefined : 'before')
  const rows = concatLists(lazyMap(open, ofOpen), lazyMap(beside, ofUnseen))
  const visibleChanges = [...all, ...allUnseen]
  const total = visibleChanges.length
  const hidden = audience.isAuthor ? 0 : candidate.changes.length + notSeen.length - total
  const toIndexedChange = (change: Change): IndexedChange => {
    const { id, kind } = change
    return change.kind === 'renamed' ? { id, kind, from: change.from } : { id, kind }
  }
  const index = request.includesIndex === true ? { index: visibleChanges.map(toIndexedChange) } : {}
  return { changes: rows, total, counts: countsOf(prepared, visibleChanges), hidden, ...index }
}

function bySeverity(findings: readonly Finding[]): Finding[] {
  return [
    ...findings.filter((each) => each.severity === 'error'),
    ...findings.filter((each) => each.severity !== 'error'),
  ]
}
