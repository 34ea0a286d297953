// Compares three ways, by digest: here, the remote as last seen, the remote now.
import type { Digest } from '#kernel/change/index.ts'
import {
  componentTypes,
  splitId,
  type ComponentId,
  type ComponentType,
} from '#kernel/components/component.ts'
import type { CompareState, DifferingGroup } from '#wire/remotes.ts'
import { createYielder } from '../pipeline/index.ts'
import type { Listing } from './listing.ts'
import type { LocalState } from './local-state.ts'

export interface ComponentComparison {
  id: ComponentId
  state: CompareState
  local: Digest | null
  seen: Digest | null
  listed: Digest | null
}

export interface ComparisonResult {
  /** In the order of types, then of keys. */
  rows: readonly ComponentComparison[]
  counts: Record<CompareState, number>
  drift: number
}

type Digests = ReadonlyMap<ComponentId, Digest>

/** Whether it was changed there by others since it was last seen. */
export function hasDrifted({ seen, listed }: Pick<ComponentComparison, 'seen' | 'listed'>): boolean {
  return seen !== listed
}

/** Whether it differs here from what was last seen there. */
export function hasLocalChange({ seen, local }: Pick<ComponentComparison, 'seen' | 'local'>): boolean {
  return seen !== local
}

/** What is pushed by default: it is new or changed here, and was not changed there by others. */
export function isPushedByDefault(row: ComponentComparison): boolean {
  return (row.state === 'only_local' || row.state === 'changed_local') && !hasDrifted(row)
}

export async function compare(
  { digests: here, hidden }: Pick<LocalState, 'digests' | 'hidden'>,
  seen: Listing,
  listed: Listing,
): Promise<ComparisonResult> {
  const byType = new Map<ComponentType, ComponentComparison[]>(componentTypes.map((type) => [type, []]))
  const counts = { same: 0, only_local: 0, only_remote: 0, changed_local: 0, changed_remote: 0, both: 0 }
  let drift = 0
  const breathe = createYielder()
  const take = (id: ComponentId): void => {
    if (hidden.has(id)) return
    const row = compareComponent(id, here, seen.digests, listed.digests)
    if (row === null) return
    counts[row.state] += 1
    if (hasDrifted(row)) drift += 1
    byType.get(splitId(id).type)!.push(row)
  }
  for (const id of here.keys()) {
    take(id)
    await breathe()
  }
  for (const id of listed.digests.keys()) {
    if (!here.has(id)) take(id)
    await breathe()
  }
  const rows: ComponentComparison[] = []
  for (const some of byType.values()) {
    some.sort((a, b) => (a.id < b.id ? -1 : 1))
    await breathe()
    for (const row of some) rows.push(row)
    await breathe()
  }
  return { rows, counts, drift }
}

/** What one of two listings lacks or has differently. */
export async function listDifferences(before: Listing, now: Listing): Promise<ComponentId[]> {
  const breathe = createYielder()
  const ids: ComponentId[] = []
  for (const [id, digest] of before.digests) {
    if (now.digests.get(id) !== digest) ids.push(id)
    await breathe()
  }
  for (const id of now.digests.keys()) {
    if (!before.digests.has(id)) ids.push(id)
    await breathe()
  }
  return ids
}

/** Everything that differs, grouped by how it differs; each group keeps the order of the rows. */
export async function groupDifferences(rows: readonly ComponentComparison[]): Promise<DifferingGroup[]> {
  const breathe = createYielder()
  const groups = new Map<string, DifferingGroup>()
  for (const row of rows) {
    await breathe()
    const { id, state } = row
    if (state === 'same') continue
    const drift = hasDrifted(row)
    const name = `${state} ${drift}`
    const group = groups.get(name)
    if (group === undefined) groups.set(name, { state, drift, ids: [id] })
    else group.ids.push(id)
  }
  return [...groups.values()]
}

/** Null if neither side still has it. */
function compareComponent(
  id: ComponentId,
  here: Digests,
  seenThere: Digests,
  remoteDigests: Digests,
): ComponentComparison | null {
  const [local, seen, listed] = [
    here.get(id) ?? null,
    seenThere.get(id) ?? null,
    remoteDigests.get(id) ?? null,
  ]
  if (local === null && listed === null) return null
  return { id, state: stateOf(local, seen, listed), local, seen, listed }
}

function stateOf(local: Digest | null, seen: Digest | null, listed: Digest | null): CompareState {
  if (local === listed) return 'same'
  if (listed === null) return 'only_local'
  if (local === null) return 'only_remote'
  if (listed === seen) return 'changed_local'
  return local === seen ? 'changed_remote' : 'both'
}
