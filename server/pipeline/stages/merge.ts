// Merge: merges the list over the active generation and builds the candidate, with renames carried through.
import {
  buildCandidate,
  type Candidate,
  type CandidateComponent,
  type CandidateOptions,
} from '#kernel/change/index.ts'
import { idOf, type ApplyHints, type ComponentId } from '#kernel/components/component.ts'
import type { ComponentView } from '#kernel/components/view.ts'
import type { ReferenceGraph } from '#kernel/graph/index.ts'
import type { OrgReader } from '../../ports/org-store.ts'
import { mergeOverActive, requireSettledConflicts } from '../conflict.ts'
import { rollbackCandidate } from '../rollback-renames.ts'
import type { LoadResult, StageInput } from './load.ts'
import type { PartitionResult } from './partition.ts'
import type { Stage } from './stage.ts'

type Needs = Pick<StageInput, 'deps' | 'reader' | 'cache' | 'request'> &
  Pick<LoadResult, 'loadedChanges' | 'audience' | 'authorBase' | 'base' | 'baseView'> &
  Pick<PartitionResult, 'partition'>

export interface MergeResult {
  candidate: Candidate
  baseGraph: ReferenceGraph
  baseDigests: BaseDigests
}

type BaseDigests = NonNullable<CandidateOptions['baseDigests']>

/** @throws AlmanacError conflict.stale_generation */
export const merge: Stage<'merge', Needs, MergeResult> = {
  name: 'merge',
  run: ({ deps, reader, cache, request, loadedChanges, audience, authorBase, base, baseView, partition }) => {
    requireSettledConflicts(request.source, loadedChanges.conflicts)
    const { sha256 } = deps
    const merged = mergeOverActive(reader, partition.visibleChanges, authorBase, base, sha256, audience)
    const baseGraph = cache.graphs.at(reader, base)
    const baseDigests = digestsAt(reader, { base, baseView, changed: merged.components })
    const build = (): Candidate => buildCandidate(baseView, merged, { baseDigests, sha256, graph: baseGraph })
    const built =
      request.source.kind === 'drafts' ? cache.candidates.getOrBuild(base, merged, build) : build()
    const { rollbackTo } = loadedChanges
    const candidate =
      rollbackTo === null
        ? built
        : rollbackCandidate(
            built,
            {
              renames: reader.identities.keyMovesBetween(rollbackTo, base),
              hints: hintsById(loadedChanges.components),
            },
            baseView,
            baseGraph,
          )
    return { candidate, baseGraph, baseDigests }
  },
}

function hintsById(components: readonly CandidateComponent[]): Map<ComponentId, ApplyHints> {
  return new Map(components.map(({ component, hints }) => [idOf(component), hints]))
}

/** From this number of changes on, the digests of the base are read all at once instead of one by one. */
const bulkReadThreshold = 2000

/** From this number on, the whole base may have fewer digests; below, counting it would cost more than it saves. */
const wholeBaseThreshold = 20_000

function digestsAt(
  reader: OrgReader,
  {
    base,
    baseView,
    changed,
  }: { base: number; baseView: ComponentView; changed: readonly CandidateComponent[] },
): BaseDigests {
  if (changed.length <= bulkReadThreshold)
    return { get: (id) => reader.components.digest(base, id) } as BaseDigests
  if (changed.length > wholeBaseThreshold && changed.length > baseView.count('config_entry') / 2)
    return reader.components.digests(base)
  return reader.components.digestsOf(
    base,
    changed.map(({ component }) => idOf(component)),
  )
}
