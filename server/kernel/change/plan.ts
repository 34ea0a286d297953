// A plan: what an apply would do, bound to the target's lineage, the base generation and the change list
// (docs/reference/pipeline-and-approvals.md).
import { idOf, type ComponentId } from '../components/component.ts'
import type { Finding } from '../errors/finding.ts'
import { formatBytes } from './format-bytes.ts'
import type { JsonValue } from './canonical.ts'
import { afterOf, beforeOf, countChanges, type Change, type ChangeCounts, type ChangeKind } from './change.ts'
import { componentDigest } from './component-digest.ts'
import { digestOf, type Digest } from './digest.ts'
import type { Sha256 } from './sha256.ts'

export interface Budget {
  /** Bytes of materialised slices: used before, added by this change list, allowed, and left after it. */
  used: number
  added: number
  limit: number
  left: number
}

export interface PlannedChange {
  kind: ChangeKind
  id: ComponentId
  from?: ComponentId
  /** What it replaces, so that the same content over different content is a different change. Null if nothing. */
  before: Digest | null
  /** Null if the component is removed. */
  digest: Digest | null
}

/** What the digest of a list must not cover, because it could be guessed from the digest. */
export type HiddenPart = 'before' | 'all'

export interface Plan {
  lineage: string
  base: number
  changeDigest: Digest
  changes: PlannedChange[]
  counts: ChangeCounts
  findings: Finding[]
  budget: Budget
}

/** Returns the digest of a change list: kind, id and content before and after of each change, in any order. */
export function changeDigest(changes: readonly PlannedChange[], sha256: Sha256): Digest {
  const sorted = [...changes].sort((a, b) => (a.id < b.id ? -1 : a.id > b.id ? 1 : 0))
  return digestOf(sorted.map(inOrder) as unknown as JsonValue, sha256)
}

/** With its keys in canonical order, of which the text is made several times faster. */
function inOrder(change: PlannedChange): PlannedChange {
  const { before, digest, from, id, kind } = change
  return from === undefined ? { before, digest, id, kind } : { before, digest, from, id, kind }
}

export function plannedChanges(
  changes: readonly Change[],
  sha256: Sha256,
  knownDigest: (id: ComponentId) => Digest | undefined = () => undefined,
): PlannedChange[] {
  return changes.map((change) => {
    const [first, after] = [beforeOf(change), afterOf(change)]
    const from = change.kind === 'renamed' ? change.from : change.id
    const before = first === null ? null : (knownDigest(from) ?? componentDigest(first, sha256))
    const digest = after === null ? null : componentDigest(after, sha256)
    return change.kind === 'renamed'
      ? { kind: change.kind, id: change.id, from, before, digest }
      : { kind: change.kind, id: change.id, before, digest }
  })
}

export interface PlanInput {
  lineage: string
  base: number
  changes: readonly Change[]
  findings: Finding[]
  budget: Budget
  /** Digests of the base, as far as they are available. */
  baseDigest?: (id: ComponentId) => Digest | undefined
  /** The parts of a change that the author of the list cannot see; if omitted, everything is shown. */
  hidden?: (change: Change) => HiddenPart | undefined
}

export function buildPlan(input: PlanInput, sha256: Sha256): Plan {
  const { lineage, base, changes, findings, budget } = input
  return {
    lineage,
    base,
    ...digestChanges(input, sha256),
    counts: countChanges(changes),
    findings: [...findings, ...budgetFindings(changes, budget, input.hidden !== undefined)],
    budget,
  }
}

type ListDigests = Pick<Plan, 'changes' | 'changeDigest'>

/** Keeps the digests of a list that is validated again because its rationale or the day changed. */
const digestsOf = new WeakMap<readonly Change[], ListDigests>()

function digestChanges({ changes, baseDigest, hidden }: PlanInput, sha256: Sha256): ListDigests {
  let whole = digestsOf.get(changes)
  if (whole === undefined) {
    const planned = plannedChanges(changes, sha256, baseDigest)
    whole = { changes: planned, changeDigest: changeDigest(planned, sha256) }
    digestsOf.set(changes, whole)
  }
  const shown = hidden === undefined ? null : shownChanges(whole.changes, changes, hidden)
  return shown === null ? whole : { ...whole, changeDigest: changeDigest(shown, sha256) }
}

/** Null if nothing is hidden. */
function shownChanges(
  planned: readonly PlannedChange[],
  changes: readonly Change[],
  hidden: NonNullable<PlanInput['hidden']>,
): PlannedChange[] | null {
  const parts = changes.map(hidden)
  if (parts.every((part) => part === undefined)) return null
  return planned.flatMap((each, at) => {
    const part = parts[at]
    if (part === 'all') return []
    if (part === undefined) return [each]
    return [{ ...each, before: null }]
  })
}

/** @param vague omits the bytes, which could reveal the length of a hidden value */
function budgetFindings(changes: readonly Change[], budget: Budget, vague: boolean): Finding[] {
  const { used, added, limit, left } = budget
  if (left >= 0 || added <= 0) return []
  const [first] = changes
  const finding: Finding = {
    severity: 'error',
    code: 'deploy.slice_budget',
    component: first === undefined ? '' : idOf(afterOf(first) ?? { type: 'config_set', key: '' }),
    path: '',
    message: `The slices would take ${formatBytes(used + added)}, which is ${formatBytes(-left)} more than the ${formatBytes(limit)} that this org allows. ${advice}`,
    related: [],
    facts: { used, added, limit, left },
  }
  return [vague ? redactBudgetFinding(finding) : finding]
}

const advice =
  'Remove components that are no longer read, or ask the operator to raise the budget with "almanac budget <size>".'

/** Returns the finding `deploy.slice_budget` for a viewer who cannot see everything: with no number except the limit. */
export function redactBudgetFinding(finding: Finding): Finding {
  const limit = Number(finding.facts?.['limit'] ?? 0)
  const message = `The slices would take more than the ${formatBytes(limit)} that this org allows. ${advice}`
  return { ...finding, message, facts: { limit } }
}
