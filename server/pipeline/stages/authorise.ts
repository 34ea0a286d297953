// Authorise: compares what each change needs with the rights of the author.
import { splitId, type ComponentId } from '#kernel/components/component.ts'
import { roomOf } from '#kernel/components/registry.ts'
import type { Denial } from '../../access/index.ts'
import type { OrgReader } from '../../ports/org-store.ts'
import type { PipelineDeps } from '../deps.ts'
import type { ApplyRequest } from '../request.ts'
import { unseenRemoval, type UnseenChanges } from '../unseen-changes.ts'
import type { LoadResult, StageInput } from './load.ts'
import type { MergeResult } from './merge.ts'
import type { PartitionResult } from './partition.ts'
import type { Stage } from './stage.ts'
import type { ValidateResult } from './validate.ts'

type Needs = Pick<StageInput, 'deps' | 'reader' | 'request' | 'trusted'> &
  Pick<LoadResult, 'baseView'> &
  Pick<PartitionResult, 'partition'> &
  Pick<MergeResult, 'candidate'> &
  Pick<ValidateResult, 'unseenChanges'>

export interface AuthoriseResult {
  visibleDenials: readonly Denial[]
  /** Denials of changes that depend on what the author does not see. */
  unseenDenials: readonly Denial[]
}

export const authorise: Stage<'authorise', Needs, AuthoriseResult> = {
  name: 'authorise',
  run: ({ deps, reader, request, trusted, baseView, partition, candidate, unseenChanges }) => {
    if (trusted) return { visibleDenials: [], unseenDenials: [] }
    const { changes, view } = candidate
    return {
      visibleDenials: deps.access.authorise(reader, request.actor, changes, baseView, view),
      unseenDenials:
        unseenChanges === null
          ? []
          : denialsOfUnseen(deps, reader, request, unseenChanges, partition.unseenComponents.removals),
    }
  },
}

/** Refuses changes that depend on hidden sets in any case, in the same way for existing and missing sets. */
function denialsOfUnseen(
  deps: PipelineDeps,
  reader: OrgReader,
  { actor }: ApplyRequest,
  { changes, base, view }: UnseenChanges,
  removals: readonly ComponentId[],
): Denial[] {
  const all = [...changes, ...removals.map(unseenRemoval)]
  const denials = deps.access.authorise(reader, actor, all, base, view)
  const lacksRight = (id: ComponentId): boolean =>
    denials.some((denial) => denial.id === id && denial.permission === roomOf(splitId(id).type).author)
  const denialsOfKeys = changes.flatMap(({ id, kind }): Denial[] => {
    const { type, key } = splitId(id)
    // Only a user who could add it is shown that the key is taken: for everyone else, a set is refused in the same way
    // whether it exists or not.
    if (type === 'config_entry' || kind === 'removed' || lacksRight(id)) return []
    const message = `${actor} has no edit grant on ${key}. Choose a different key, or ask a user with access.manage.`
    return [{ id, permission: `edit:${key}`, message }]
  })
  return [...denialsOfKeys, ...denials]
}
