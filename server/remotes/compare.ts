// Compares three ways, by digest: here, the remote as last seen, the remote now (completions 4; studio: Deploy).
import type { Digest } from '#kernel/change/index.ts'
import {
  componentTypes,
  splitId,
  type ComponentId,
  type ComponentType,
} from '#kernel/components/component.ts'
import type { CompareState, DifferingGroup } from '#kernel/remotes/wire.ts'
import { breather } from '../pipeline/index.ts'
import type { Listing } from './listing.ts'
import type { LocalSide } from './local-side.ts'

export interface Compared {
  id: ComponentId
  state: CompareState
  local: Digest | null
  seen: Digest | null
  listed: Digest | null
}

export interface ComparedAll {
  /** In the order of types, then of keys. */
  rows: readonly Compared[]
  counts: Record<CompareState, number>
  drift: number
}

type Digests = ReadonlyMap<ComponentId, Digest>

/** Whether it was changed there by others since it was last seen. */
export function hasDrifted({ seen, listed }: Pick<Compared, 'seen' | 'listed'>): boolean {
  return seen !== listed
}

/** Whether it differs here from what was last seen there. */
export function hasMoved({ seen, local }: Pick<Compared, 'seen' | 'local'>): boolean {
  return seen !== local
}

/** What is pushed by default: it is new or changed here, and was not changed there by others. */
export function goesUnasked(row: Compared): boolean {
  return (row.state === 'only_local' || row.state === 'changed_local') && !hasDrifted(row)
}

export async function compare(
  { digests: here, hidden }: Pick<LocalSide, 'digests' | 'hidden'>,
  seen: Listing,
  listed: Listing,
): Promise<ComparedAll> {
  const byType = new Map<ComponentType, Compared[]>(componentTypes.map((type) => [type, []]))
  const counts = { same: 0, only_local: 0, only_remote: 0, changed_local: 0, changed_remote: 0, both: 0 }
  let drift = 0
  const breathe = breather()
  const take = (id: ComponentId): void => {
    if (hidden.has(id)) return
    const row = comparedOf(id, here, seen.digests, listed.digests)
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
  const rows: Compared[] = []
  for (const some of byType.values()) {
    some.sort((a, b) => (a.id < b.id ? -1 : 1))
    for (const row of some) rows.push(row)
    await breathe()
  }
  return { rows, counts, drift }
}

/** What one of two listings lacks or has differently. */
export async function differing(before: Listing, now: Listing): Promise<ComponentId[]> {
  const breathe = breather()
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
export async function differingGroups(rows: readonly Compared[]): Promise<DifferingGroup[]> {
  const breathe = breather()
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
function comparedOf(id: ComponentId, here: Digests, seenThere: Digests, there: Digests): Compared | null {
  const [local, seen, listed] = [here.get(id) ?? null, seenThere.get(id) ?? null, there.get(id) ?? null]
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
