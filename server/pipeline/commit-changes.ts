// Applies a change list: one transaction and one generation; if nothing changed, no generation is created
// (docs/reference/pipeline-and-approvals.md).
import type { CompanionWrite } from '../ports/companion-writes.ts'
import type { OrgTransactor } from '../ports/org-store.ts'
import type { GenerationKind } from '#wire/index.ts'
import type { PipelineDeps } from './deps.ts'
import { outcomeOf } from './outcome.ts'
import type { PipelineCache } from './pipeline-cache.ts'
import { prepareChanges, type PreparedChanges } from './prepare.ts'
import type { ApplyOutcome, ApplyRequest } from './request.ts'
import { admit, runStages, write } from './stages/index.ts'

export interface CommitOptions {
  kind: GenerationKind
  /** Skips access checks: for the first generation, when no user has rights yet. */
  trusted?: boolean
  companion?: CompanionWrite | undefined
}

/**
 * @throws AlmanacError conflict.stale_plan, conflict.stale_generation, access.denied, deploy.* with the findings,
 *   org.busy, and those of the source.
 */
export function commitChanges(
  deps: PipelineDeps,
  cache: PipelineCache,
  request: ApplyRequest,
  options: CommitOptions,
): ApplyOutcome {
  const started = performance.now()
  const { prepared, generation } =
    commitIfUncontended(deps, cache, request, options) ?? commitUnderLock(deps, cache, request, options)
  const unchanged = prepared.candidate.changes.length === 0
  if (!unchanged) {
    const view = deps.store.read((reader) => reader.generations.view(generation))
    cache.graphs.put(generation, { ...prepared.graph, view })
  }
  return { ...outcomeOf(prepared, Math.round(performance.now() - started)), generation, unchanged }
}

interface Committed {
  prepared: PreparedChanges
  generation: number
}

/** Checks without blocking other writers. Null if another apply got there first. */
function commitIfUncontended(
  deps: PipelineDeps,
  cache: PipelineCache,
  request: ApplyRequest,
  options: CommitOptions,
): Committed | null {
  const prepared = deps.store.read((reader) => {
    const judged = prepareChanges(deps, reader, cache, request, options)
    runStages([admit], { ...judged, deps, reader }, deps.faultHook)
    return judged
  })
  const { candidate, loadedChanges, base } = prepared
  const writesNothing =
    candidate.changes.length === 0 &&
    loadedChanges.consumedDrafts.length === 0 &&
    options.companion === undefined
  if (writesNothing) return { prepared, generation: base }
  const generation = deps.store.write((transactor) =>
    transactor.generations.active() === base ? writePrepared(deps, transactor, prepared, options) : null,
  )
  return generation === null ? null : { prepared, generation }
}

/** Takes the lock before it checks, so that an apply that was overtaken once cannot be overtaken forever. */
function commitUnderLock(
  deps: PipelineDeps,
  cache: PipelineCache,
  request: ApplyRequest,
  options: CommitOptions,
): Committed {
  return deps.store.write((transactor) => {
    const prepared = prepareChanges(deps, transactor, cache, request, options)
    return { prepared, generation: writePrepared(deps, transactor, prepared, options) }
  })
}

/** Runs in the transaction, while the base is still the active generation. */
function writePrepared(
  deps: PipelineDeps,
  transactor: OrgTransactor,
  prepared: PreparedChanges,
  { kind, companion }: CommitOptions,
): number {
  const input = { ...prepared, deps, reader: transactor, transactor, kind, companion }
  return runStages([admit, write], input, deps.faultHook).generation
}
