// Partition: separates what the author can see of the list from what they cannot, which is never written.
import { componentDigest, normaliseComponent } from '#kernel/change/index.ts'
import { idOf } from '#kernel/components/component.ts'
import { AlmanacError } from '#kernel/errors/almanac-error.ts'
import type { Viewer } from '../../access/index.ts'
import type { OrgReader } from '../../ports/org-store.ts'
import { writtenIdsOf, type LoadedChanges } from '../change-source.ts'
import { partitionByVisibility, type VisibilityPartition } from '../visibility-partition.ts'
import type { LoadResult, StageInput } from './load.ts'
import type { Stage } from './stage.ts'

type Needs = Pick<StageInput, 'deps' | 'reader' | 'request'> &
  Pick<LoadResult, 'loadedChanges' | 'viewer' | 'base' | 'baseView'>

export interface PartitionResult {
  partition: VisibilityPartition
  /** The components that the author named; empty if they see everything. */
  writtenIds: ReadonlySet<string>
}

/** @throws AlmanacError access.denied if an older generation contains what its reader cannot see */
export const partition: Stage<'partition', Needs, PartitionResult> = {
  name: 'partition',
  run: ({ deps, reader, request, loadedChanges, viewer, base, baseView }) => {
    // What the org itself held can be omitted if it is already active; what a caller sends cannot, because that would
    // confirm a guessed hidden value.
    const parts = partitionByVisibility(loadedChanges, viewer, baseView, {
      isUnchanged: (component) =>
        loadedChanges.isRestore &&
        reader.components.digest(base, idOf(component)) ===
          componentDigest(normaliseComponent(component, baseView), deps.sha256),
    })
    const { components, removals, removedValues } = parts.unseenComponents
    const hidden = components.length + removals.length + removedValues.length
    const { source } = request
    if (
      (source.kind === 'generation' || source.kind === 'revert') &&
      (hidden > 0 || holdsHidden(reader, loadedChanges, viewer))
    )
      throw new AlmanacError(
        'access.denied',
        `${request.actor} cannot see all of what ${source.kind === 'revert' ? 'the revert of ' : ''}generation ${source.generation} would change. Ask a user with a read grant on those sets.`,
      )
    return { partition: parts, writtenIds: viewer === null ? new Set() : writtenIdsOf(loadedChanges) }
  },
}

/**
 * Whether the older content of a rollback was hidden under its former identity, regardless of what has its keys today.
 */
function holdsHidden(
  reader: OrgReader,
  { components, rollbackTo }: LoadedChanges,
  viewer: Viewer | null,
): boolean {
  if (viewer === null || rollbackTo === null) return false
  const { visibility } = viewer.at(reader, rollbackTo)
  return components.some(({ component }) => !visibility.canSeeComponent(component))
}
