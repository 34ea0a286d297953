// Stored results: visible to users who can read every set that they bind (docs/reference/bindings-and-evidence.md).
import { appendAll } from '#kernel/append-all.ts'
import { AlmanacError } from '#kernel/errors/almanac-error.ts'
import {
  requirePermission,
  accessOfActor,
  createResultFilter,
  recordAudit,
  pastReaderOf,
  type Actor,
  type ResultFilter,
} from '../access/index.ts'
import type { ResultReads, StoredResult } from '../ports/results.ts'
import type { EvaluationDeps, EvaluationReadDeps } from './deps.ts'
import { resultView, type ResultView } from './result-view.ts'
import { evaluationContextOf } from './evaluation-context.ts'

/** @throws AlmanacError `binding.not_found` if the result does not exist or the caller cannot see it. */
export function resultFor(deps: EvaluationDeps, by: Actor, id: string): ResultView {
  const row = deps.store.read((reader) => reader.results.get(id))
  const result = row === undefined ? undefined : resultView(row)
  if (result !== undefined && resultFilterFor(deps, by)(readsOf(result))) return result
  throw new AlmanacError('binding.not_found', `The stored result "${id}" does not exist.`)
}

/** Newest first, without those that the caller cannot see. */
export function resultsFor(
  deps: EvaluationDeps,
  by: Actor,
  options: { before?: string; limit?: number } = {},
): ResultView[] {
  const maySee = resultFilterFor(deps, by)
  const limit = options.limit ?? 50
  return deps.store.read((reader) => {
    const seen: ResultView[] = []
    for (let before = options.before; ;) {
      const page = reader.results.list({ before, limit })
      appendAll(
        seen,
        page.map(resultView).filter((result) => maySee(readsOf(result))),
      )
      if (page.length < limit || seen.length >= limit) return seen.slice(0, limit)
      before = page.at(-1)!.id
    }
  })
}

/** What the caller can see of the stored results. */
export function resultFilterFor(deps: EvaluationReadDeps, by: Actor): ResultFilter {
  const active = deps.snapshots.active()
  return createResultFilter(pastReaderOf(deps.store), accessOfActor(deps.store, by, active.view), active)
}

function readsOf({ binding: { generation, config } }: ResultView): ResultReads {
  return { generation, sets: Object.keys(config) }
}

/** Allows the caller's own results, or any with operations.manage. @throws AlmanacError `access.denied`. */
export function requireResultChange(deps: EvaluationDeps, by: Actor, result: ResultView): void {
  if (by.actor !== result.actor)
    requirePermission(
      evaluationContextOf(deps, by).access,
      'operations.manage',
      `to change the result ${result.label} of ${result.actor}`,
    )
}

/** Writes a result and its audit row in one transaction. */
export async function putResult(
  deps: EvaluationDeps,
  by: Actor,
  kind: 'result.stored' | 'result.rebound' | 'result.archived',
  row: StoredResult,
  before: ResultView | null,
): Promise<void> {
  const short = ({ value, binding, state }: Pick<StoredResult, 'value' | 'binding' | 'state'>) => ({
    value,
    binding,
    state,
  })
  await deps.write((transactor) => {
    transactor.results.put(row)
    recordAudit(transactor, by, deps.clock.now(), {
      component: `result/${row.id}`,
      kind,
      before: before === null ? null : short(before as unknown as StoredResult),
      after: short(row),
    })
  })
}
