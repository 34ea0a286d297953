// Who can know of a change request: users who can see a part of what it is about.
import { splitId } from '#kernel/components/component.ts'
import { AlmanacError } from '#kernel/errors/almanac-error.ts'
import type { Viewer, Actor } from '../access/index.ts'
import { isRestoredHidden, requestViewer } from '../pipeline/index.ts'
import type { ChangeRequestItem, ChangeRequestRow } from '../ports/change-requests.ts'
import type { OrgReader } from '../ports/org-store.ts'
import { personOf, viewerOf } from './person.ts'

export interface VisibleRequest {
  row: ChangeRequestRow
  /** The viewer over the components of the request. */
  viewer: Viewer | null
}

/** @throws AlmanacError change_request.not_found, the same for a hidden one and a missing one */
export function findVisibleRequest(reader: OrgReader, by: Actor, id: string): VisibleRequest {
  const row = reader.requests.get(id)
  const viewer = viewerOf(reader, by)
  if (row === undefined || !createRequestFilter(reader, viewer)(row)) throw requestNotFoundError(id)
  return { row, viewer: requestViewer(reader, row, viewer) }
}

/** Users who approve know of every request, without what they cannot see. */
export function createRequestFilter(
  reader: OrgReader,
  viewer: Viewer | null,
): (row: ChangeRequestRow) => boolean {
  if (viewer === null || personOf(reader, viewer.user).canApprove) return () => true
  return (row) => {
    if (row.author === viewer.user || row.touches.others) return true
    return row.generation === null
      ? isPendingVisible(reader, row, viewer)
      : isAppliedVisible(reader, row.touches, row.generation, viewer)
  }
}

/** The applied changes that are shown: as they were, under the keys of that time, and as they became. */
function isAppliedVisible(
  reader: OrgReader,
  { sets }: ChangeRequestRow['touches'],
  generation: number,
  viewer: Viewer,
): boolean {
  const sides = [viewer.at(reader, generation - 1), viewer.at(reader, generation)]
  return sets.some((set) => sides.some(({ visibility }) => visibility.canSeeDefinition(set)))
}

/**
 * As with drafts, what a list adds is not hidden by a set that does not exist yet, unless a hidden set is renamed to
 * it.
 */
function isPendingVisible(reader: OrgReader, row: ChangeRequestRow, viewer: Viewer): boolean {
  const { visibility, has } = requestViewer(reader, row, viewer)!
  const { id, touches } = row
  if (touches.sets.some((set) => visibility.canSeeDefinition(set))) return true
  const added = touches.sets.filter((set) => !has(set))
  if (added.length === 0) return false
  // A list may have a hundred thousand items, and this is called for each listed request.
  const formerly =
    touches.renamed === undefined
      ? renamedSets(reader.requests.items(id))
      : new Map(Object.entries(touches.renamed))
  return added.some((set) => !has(formerly.get(set) ?? set) && !wasHidden(reader, set, viewer))
}

/** New key → old key of the sets and flags that a list renames. */
export function renamedSets(items: readonly ChangeRequestItem[]): Map<string, string> {
  const formerly = new Map<string, string>()
  for (const { id, hints } of items) {
    const { type, key } = splitId(id)
    if (type !== 'config_entry' && hints.renamedFrom !== undefined) formerly.set(key, hints.renamedFrom)
  }
  return formerly
}

export function requestNotFoundError(id: string): AlmanacError {
  return new AlmanacError('change_request.not_found', `The change request ${id} does not exist.`)
}

/** Whether a removed set or flag that is hidden had the key last: the request may restore it. */
function wasHidden(reader: OrgReader, set: string, viewer: Viewer): boolean {
  return ([`config_set/${set}`, `feature_flag/${set}`] as const).some((id) => {
    const last = reader.identities.holders(id).at(-1)
    return last !== undefined && isRestoredHidden(reader, last.identity, viewer)
  })
}
