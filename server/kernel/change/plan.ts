// A plan: what an apply would do, bound to the target's lineage, the base generation and the change list (completions 4).
import { idOf, type ComponentId } from '../components/component.ts'
import type { Finding } from '../errors/finding.ts'
import type { JsonValue } from './canonical.ts'
import { afterOf, countChanges, type Change, type ChangeCounts, type ChangeKind } from './change.ts'
import { componentDigest } from './component-digest.ts'
import { digestOf, type Digest } from './digest.ts'
import type { Sha256 } from './sha256.ts'

export interface Budget {
  /** Bytes of materialised slices before, of this change list, allowed, and left after it. */
  used: number
  added: number
  limit: number
  left: number
}

export interface PlannedChange {
  kind: ChangeKind
  id: ComponentId
  from?: ComponentId
  /** Null where the component is removed. */
  digest: Digest | null
}

export interface Plan {
  lineage: string
  base: number
  changeDigest: Digest
  changes: PlannedChange[]
  counts: ChangeCounts
  findings: Finding[]
  budget: Budget
}

/** Digest of a change list: kind, id and content of each change, whatever order it was given in. */
export function changeDigest(changes: readonly PlannedChange[], sha256: Sha256): Digest {
  const sorted = [...changes].sort((a, b) => (a.id < b.id ? -1 : a.id > b.id ? 1 : 0))
  return digestOf(sorted as unknown as JsonValue, sha256)
}

export function plannedChanges(changes: readonly Change[], sha256: Sha256): PlannedChange[] {
  return changes.map((change) => {
    const after = afterOf(change)
    const digest = after === null ? null : componentDigest(after, sha256)
    return change.kind === 'renamed'
      ? { kind: change.kind, id: change.id, from: change.from, digest }
      : { kind: change.kind, id: change.id, digest }
  })
}

export interface PlanInput {
  lineage: string
  base: number
  changes: readonly Change[]
  findings: Finding[]
  budget: Budget
}

export function planOf({ lineage, base, changes, findings, budget }: PlanInput, sha256: Sha256): Plan {
  return {
    lineage,
    base,
    ...digested(changes, sha256),
    counts: countChanges(changes),
    findings: [...findings, ...budgetFindings(changes, budget)],
    budget,
  }
}

type Digested = Pick<Plan, 'changes' | 'changeDigest'>

/** A list that is judged anew, because its rationale or the day moved, has the digests that it had. */
const known = new WeakMap<readonly Change[], Digested>()

function digested(changes: readonly Change[], sha256: Sha256): Digested {
  const before = known.get(changes)
  if (before !== undefined) return before
  const planned = plannedChanges(changes, sha256)
  const found = { changes: planned, changeDigest: changeDigest(planned, sha256) }
  known.set(changes, found)
  return found
}

function budgetFindings(changes: readonly Change[], { used, added, limit, left }: Budget): Finding[] {
  if (left >= 0 || added <= 0) return []
  const [first] = changes
  const message =
    `The slices would take ${bytes(used + added)} of the ${bytes(limit)} that this org allows, ${bytes(-left)} too much. ` +
    'Remove what is no longer read, or have the operator raise it with "almanac budget <size>".'
  return [
    {
      severity: 'error',
      code: 'deploy.slice_budget',
      component: first === undefined ? '' : idOf(afterOf(first) ?? { type: 'config_set', key: '' }),
      path: '',
      message,
      related: [],
      facts: { used, added, limit, left },
    },
  ]
}

/** `4.63 MiB`, `11 KiB`, `96 B`. */
export function bytes(count: number): string {
  if (count >= 1024 * 1024) return `${(count / 1024 / 1024).toFixed(2)} MiB`
  return count >= 1024 ? `${Math.round(count / 1024)} KiB` : `${count} B`
}
