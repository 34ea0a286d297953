// Decides which renames of a change list take place. They are checked together, so that keys can be swapped or moved along a chain.
import { appendAll } from '../append-all.ts'
import { componentId, splitId, type ComponentId, type ComponentType } from '../components/component.ts'
import type { ComponentView } from '../components/view.ts'
import type { Finding } from '../errors/finding.ts'
import { didYouMean } from '../errors/suggest.ts'
import type { ComponentRename } from '../graph/index.ts'

export interface RequestedRename extends ComponentRename {
  /** The component under its new key. */
  id: ComponentId
  oldId: ComponentId
}

export interface RenameContext {
  base: ComponentView | null
  /** Whether the change list has a component of this id. */
  isInList: (id: ComponentId) => boolean
  /** Whether the change list has the component exactly as the base has it. */
  isUnchanged: (id: ComponentId) => boolean
  /** Whether the renames leave the component that now has the key of this one exactly as the base has it. */
  isInvisible: (rename: RequestedRename, renames: readonly RequestedRename[]) => boolean
}

export interface ResolvedRenames {
  renames: RequestedRename[]
  findings: Finding[]
}

export function toRequestedRename(id: ComponentId, renamedFrom: string): RequestedRename {
  const { type, key } = splitId(id)
  return { type, from: renamedFrom, to: key, id, oldId: componentId(type, renamedFrom) }
}

/** Returns the renames that take place, and a finding for each that cannot. A rename that was applied before is in neither. */
export function resolveRenames(
  requested: readonly RequestedRename[],
  ground: RenameContext,
): ResolvedRenames {
  const findings: Finding[] = []
  const single = withoutDuplicates(requested, findings)
  const applied = appliedBefore(single, ground)
  let renames = single.filter((rename) => !applied.has(rename.id))
  for (;;) {
    const faults = renames.flatMap((rename) => {
      const finding = faultOf(rename, renames, ground)
      return finding === null ? [] : [finding]
    })
    if (faults.length === 0) return { renames, findings }
    appendAll(findings, faults)
    // If a component keeps its key, the key is not free for a rename that depends on it.
    const refused = new Set<string>(faults.map(({ component }) => component))
    renames = renames.filter(({ id }) => !refused.has(id))
  }
}

/** Removes renames of a key to itself, and renames that share a source. */
function withoutDuplicates(requested: readonly RequestedRename[], findings: Finding[]): RequestedRename[] {
  const claims = Map.groupBy(requested, ({ oldId }) => oldId)
  return requested.filter(({ id, oldId, from, to }) => {
    if (from === to) {
      const message = `${id} is renamed from its own key. Remove "renamedFrom", or set it to the old key.`
      findings.push(fault(id, 'component.rename_self', message))
      return false
    }
    const others = claims.get(oldId)!.filter((claim) => claim.id !== id)
    if (others.length === 0) return true
    const names = others.map((claim) => claim.id).join(' and ')
    const message = `${id} and ${names} are both renamed from ${oldId}. Remove "renamedFrom" from all but one of them.`
    const related = others.map((claim) => ({ component: claim.id, path: '/renamedFrom' }))
    findings.push({ ...fault(id, 'component.rename_twice', message), related })
    return false
  })
}

/**
 * Renames whose result is already active, as in files that are applied again with their "renamedFrom". A cycle that leaves
 * every definition as it is, as a swap of two equal sets, never looks applied: only what belongs to the components changes.
 */
function appliedBefore(
  renames: readonly RequestedRename[],
  { base, isUnchanged, isInvisible }: RenameContext,
): Set<ComponentId> {
  const has = ({ type }: RequestedRename, key: string): boolean => base?.has(type, key) === true
  const byTarget = new Map(renames.map((rename) => [rename.id, rename]))
  const applied = new Set<ComponentId>()
  const cycles: RequestedRename[][] = []
  for (const rename of renames) {
    const chain = chainTo(rename, byTarget)
    const first = chain.at(-1)!
    if (byTarget.has(first.oldId)) {
      if (chain.every(({ id }) => isUnchanged(id))) cycles.push(chain)
    } else if (!has(first, first.from) && chain.every((each) => has(each, each.to))) applied.add(rename.id)
  }
  const inCycles = cycles.map(([rename]) => rename!)
  for (const cycle of cycles)
    if (!cycle.every((rename) => isInvisible(rename, inCycles))) applied.add(cycle[0]!.id)
  return applied
}

/** Returns a rename, the rename that frees its new key, and so on. A cycle ends at its start. */
function chainTo(
  start: RequestedRename,
  byTarget: ReadonlyMap<ComponentId, RequestedRename>,
): RequestedRename[] {
  const chain = [start]
  const seen = new Set([start.id])
  for (let next = byTarget.get(start.oldId); next !== undefined && !seen.has(next.id);) {
    chain.push(next)
    seen.add(next.id)
    next = byTarget.get(next.oldId)
  }
  return chain
}

function faultOf(
  { type, from, to, id, oldId }: RequestedRename,
  renames: readonly RequestedRename[],
  { base, isInList }: RenameContext,
): Finding | null {
  if (base?.has(type, from) !== true) {
    const nearest = didYouMean(from, keysOf(base, type))
    const message = `${id} is renamed from "${from}", which does not exist.${nearest}`
    return fault(id, 'component.rename_source', message)
  }
  if (isInList(oldId) && !renames.some((rename) => rename.id === oldId)) {
    const message = `${id} is renamed from ${oldId}, but ${oldId} is also in the change list. Remove one of the two.`
    return fault(id, 'component.rename_both', message)
  }
  if (base.has(type, to) && !renames.some((rename) => rename.oldId === id)) {
    const message = `${id} cannot take the key of an existing component. Remove or rename that component first.`
    return fault(id, 'component.rename_taken', message)
  }
  return null
}

function keysOf(base: ComponentView | null, type: ComponentType): Iterable<string> {
  return base?.keys(type) ?? []
}

function fault(component: ComponentId, code: string, message: string): Finding {
  return { severity: 'error', code, component, path: '/renamedFrom', message, related: [] }
}
