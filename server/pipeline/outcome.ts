// What is reported of a prepared change list, cut to the requested length (completions 4, 7).
import {
  countChanges,
  OverlayView,
  type Budget,
  type Change,
  type ChangeCounts,
} from '#kernel/change/index.ts'
import type { Finding } from '#kernel/errors/finding.ts'
import { hasErrors } from '#kernel/errors/finding.ts'
import type { Prepared } from './prepare.ts'
import type { ChangePage, ChangeRow, IndexedChange, PlanOutcome } from './request.ts'
import { joined, rowsOf } from './rows.ts'
import { seesOrg, shownBudget } from './shown-budget.ts'
import { closureView } from './selection.ts'
import { changesListedFor, changesShownTo, hiddenOf, rowOf } from './told.ts'

export function outcomeOf(prepared: Prepared, ms: number): PlanOutcome {
  const { plan, request, closure } = prepared
  const { findings, denials } = prepared.said
  const { source } = request
  const most = request.most ?? Infinity
  const errorsFirst = findings.length > most ? bySeverity(findings).slice(0, most) : [...findings]
  return {
    lineage: plan.lineage,
    base: plan.base,
    changeDigest: prepared.changeDigest,
    budget: toldBudget(prepared),
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
export function toldBudget(prepared: Prepared): Budget {
  const { plan, candidate, listener, baseView } = prepared
  if (seesOrg(listener.sight, baseView)) return plan.budget
  const seesAll = listener.author
    ? prepared.seesAll
    : changesTold(prepared).length === candidate.changes.length
  return shownBudget(plan.budget, listener.sight, seesAll)
}

/** The changes that are shown to the listener, without those that depend on sets that they cannot see. */
export function changesTold(prepared: Prepared): readonly Change[] {
  const { candidate, sight, wrote, listener, restoredHidden } = prepared
  if (listener.author) return changesListedFor(candidate.changes, sight, wrote)
  const shown = changesShownTo(candidate.changes, listener.sight)
  return restoredHidden.size === 0 ? shown : shown.filter(({ id }) => !restoredHidden.has(id))
}

function unseenTold({ unseen, listener }: Prepared): readonly Change[] {
  const notSeen = unseen?.changes ?? []
  return listener.author ? notSeen : changesShownTo(notSeen, listener.sight)
}

/** Counts the changes that are shown to the listener. */
export function toldCounts(prepared: Prepared): ChangeCounts {
  return countsOf(prepared, [...changesTold(prepared), ...unseenTold(prepared)])
}

function countsOf({ sight, listener, plan }: Prepared, told: readonly Change[]): ChangeCounts {
  return sight === null && listener.author ? plan.counts : countChanges(told)
}

/** The rows keep only the changes and the views that give them words, and nothing else of what was prepared. */
function changesOf(
  prepared: Prepared,
  { from, count }: ChangePage,
): Pick<PlanOutcome, 'changes' | 'total' | 'counts' | 'hidden' | 'index'> {
  const { candidate, denials, baseView, sight, unseen, wrote, listener, request } = prepared
  const notSeen = unseen?.changes ?? []
  const all = changesTold(prepared)
  const allUnseen = unseenTold(prepared)
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
  const rows = joined(rowsOf(open, ofOpen), rowsOf(beside, ofUnseen))
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
