// What is reported of a prepared change list, cut to the requested length (docs/reference/pipeline-and-approvals.md).
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
  const { findings, denials } = prepared.said
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

/** As shown to the listener. */
export function budgetForAudience(prepared: PreparedChanges): Budget {
  const { plan, candidate, listener, baseView } = prepared
  if (canSeeWholeOrg(listener.sight, baseView)) return plan.budget
  const seesAll = listener.author
    ? prepared.seesAll
    : changesForAudience(prepared).length === candidate.changes.length
  return redactBudget(plan.budget, listener.sight, seesAll)
}

/** The changes that are shown to the listener, without those that depend on sets that they cannot see. */
export function changesForAudience(prepared: PreparedChanges): readonly Change[] {
  const { candidate, sight, wrote, listener, restoredHidden } = prepared
  if (listener.author) return changesForAuthor(candidate.changes, sight, wrote)
  const shown = changesForViewer(candidate.changes, listener.sight)
  return restoredHidden.size === 0 ? shown : shown.filter(({ id }) => !restoredHidden.has(id))
}

function unseenChangesForAudience({ unseen, listener }: PreparedChanges): readonly Change[] {
  const notSeen = unseen?.changes ?? []
  return listener.author ? notSeen : changesForViewer(notSeen, listener.sight)
}

/** Counts the changes that are shown to the listener. */
export function countsForAudience(prepared: PreparedChanges): ChangeCounts {
  return countsOf(prepared, [...changesForAudience(prepared), ...unseenChangesForAudience(prepared)])
}

function countsOf({ sight, listener, plan }: PreparedChanges, told: readonly Change[]): ChangeCounts {
  return sight === null && listener.author ? plan.counts : countChanges(told)
}

/** The rows keep only the changes and the views that give them words, and nothing else of what was prepared. */
function changesOf(
  prepared: PreparedChanges,
  { from, count }: ChangePage,
): Pick<PlanOutcome, 'changes' | 'total' | 'counts' | 'hidden' | 'index'> {
  const { candidate, denials, baseView, sight, unseen, wrote, listener, request } = prepared
  const notSeen = unseen?.changes ?? []
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
  const hiddenGround = unseen?.view
  const ofOpen = (change: Change): ChangeRow => {
    const hidden =
      sight === null || !listener.author ? undefined : hiddenOf(change, sight, wrote.has(change.id))
    return rowOf(change, change.kind === 'removed' ? base : view, lacks.get(change.id) ?? [], hidden)
  }
  const ofUnseen = (change: Change): ChangeRow =>
    rowOf(change, hiddenGround!, lacks.get(change.id) ?? [], change.kind === 'added' ? undefined : 'before')
  const rows = concatLists(lazyMap(open, ofOpen), lazyMap(beside, ofUnseen))
  const told = [...all, ...allUnseen]
  const total = told.length
  const hidden = listener.author ? 0 : candidate.changes.length + notSeen.length - total
  const named = (change: Change): IndexedChange => {
    const { id, kind } = change
    return change.kind === 'renamed' ? { id, kind, from: change.from } : { id, kind }
  }
  const index = request.index === true ? { index: told.map(named) } : {}
  return { changes: rows, total, counts: countsOf(prepared, told), hidden, ...index }
}

function bySeverity(findings: readonly Finding[]): Finding[] {
  return [
    ...findings.filter((each) => each.severity === 'error'),
    ...findings.filter((each) => each.severity !== 'error'),
  ]
}
