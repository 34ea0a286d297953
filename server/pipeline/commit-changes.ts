// Applies a change list: one transaction and one generation; if nothing changed, no generation is created
// (docs/reference/pipeline-and-approvals.md).
import { isDeepStrictEqual } from 'node:util'
import type { CompanionWrite } from '../ports/companion-writes.ts'
import type { OrgTransactor } from '../ports/org-store.ts'
import type { GenerationKind } from '#wire/index.ts'
import { checkThenWrite, checkUnderLock, type CheckedWrite, type WriteResult } from './check-then-write.ts'
import { isStillBoundSo } from './bound-cycles.ts'
import type { PipelineDeps } from './deps.ts'
import { fieldsInUse } from './fields-in-use.ts'
import { outcomeOf } from './outcome.ts'
import type { PipelineCache } from './pipeline-cache.ts'
import { prepareChanges, type PreparedChanges } from './prepare.ts'
import { recordLosses } from './record-losses.ts'
import type { ApplyOutcome, ApplyRequest } from './request.ts'
import { admit, runStages, write } from './stages/index.ts'
import type { WriteRunner } from './write-queue.ts'

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
export async function commitChanges(
  deps: PipelineDeps,
  cache: PipelineCache,
  turn: WriteRunner,
  request: ApplyRequest,
  options: CommitOptions,
): Promise<ApplyOutcome> {
  const started = performance.now()
  const result = await checkThenWrite(deps.store, turn, commitOf(deps, cache, request, options))
  return outcomeAfter(deps, cache, result, started)
}

/** The same in a store that nothing else uses yet. */
export function commitFirst(
  deps: PipelineDeps,
  cache: PipelineCache,
  request: ApplyRequest,
  options: CommitOptions,
): ApplyOutcome {
  const started = performance.now()
  const result = checkUnderLock(deps.store, commitOf(deps, cache, request, options))
  return outcomeAfter(deps, cache, result, started)
}

function commitOf(
  deps: PipelineDeps,
  cache: PipelineCache,
  request: ApplyRequest,
  options: CommitOptions,
): CheckedWrite<PreparedChanges, number> {
  return {
    check: (reader) => {
      const prepared = prepareChanges(deps, reader, cache, request, options)
      runStages([admit], { ...prepared, deps, reader }, deps.faultHook)
      return prepared
    },
    isDone: ({ candidate, loadedChanges }) =>
      candidate.changes.length === 0 &&
      loadedChanges.consumedDrafts.length === 0 &&
      options.companion === undefined,
    isCurrent: (transactor, { base, candidate: { changes }, loadedChanges, losses, usesLost, bound }) => {
      if (request.skipsValidation === true) return true
      const baseView = transactor.generations.view(base)
      const now = deps.clock.now()
      const { restoresFrom, confirmed } = loadedChanges
      const uses = { base, baseView, changes, now, restoresFrom, confirmed }
      return (
        isDeepStrictEqual(recordLosses(transactor, base, changes, { restoresFrom, confirmed }), losses) &&
        isDeepStrictEqual(fieldsInUse(transactor, uses), usesLost) &&
        isStillBoundSo(transactor, bound)
      )
    },
    write: (transactor, prepared) => writePrepared(deps, transactor, prepared, options),
  }
}

function outcomeAfter(
  deps: PipelineDeps,
  cache: PipelineCache,
  { checked: prepared, written }: WriteResult<PreparedChanges, number>,
  started: number,
): ApplyOutcome {
  const generation = written ?? prepared.base
  const unchanged = prepared.candidate.changes.length === 0
  if (!unchanged) {
    const view = deps.store.read((reader) => reader.generations.view(generation))
    cache.graphs.put(generation, { ...prepared.graph, view })
  }
  return { ...outcomeOf(prepared, Math.round(performance.now() - started)), generation, unchanged }
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
