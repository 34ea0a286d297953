// Stored results: seen by whoever may read every set that they bind (specification 2.6, 5.4).
import { AlmanacError } from '#kernel/errors/almanac-error.ts'
import { demand, note, type By } from '../access/index.ts'
import type { StoredResult } from '../ports/org-store.ts'
import type { EvaluationParts, EvaluationReads } from './parts.ts'
import { resultView, type ResultView } from './result-view.ts'
import { sightOf, type Sight } from './sight.ts'

/** @throws AlmanacError `binding.not_found` where there is none, or none that this person may see. */
export function resultFor(parts: EvaluationParts, by: By, id: string): ResultView {
  const row = parts.store.read((reader) => reader.result(id))
  const result = row === undefined ? undefined : resultView(row)
  if (result !== undefined && resultSeer(parts, by)(result)) return result
  throw new AlmanacError('binding.not_found', `There is no stored result "${id}".`)
}

/** Newest first, without those that this person may not see. */
export function resultsFor(
  parts: EvaluationParts,
  by: By,
  options: { before?: string; limit?: number } = {},
): ResultView[] {
  const maySee = resultSeer(parts, by)
  const limit = options.limit ?? 50
  return parts.store.read((reader) => {
    const seen: ResultView[] = []
    for (let before = options.before; ;) {
      const page = reader.results({ before, limit })
      seen.push(...page.map(resultView).filter(maySee))
      if (page.length < limit || seen.length >= limit) return seen.slice(0, limit)
      before = page.at(-1)!.id
    }
  })
}

/** By the sets that a result binds, as its own generation has them and as they are called today. */
export function resultSeer(parts: EvaluationReads, by: By): (result: ResultView) => boolean {
  const sights = new Map<number, Sight>()
  return ({ binding: { generation, config } }) => {
    const sight = sights.get(generation) ?? sightOn(parts, by, generation)
    sights.set(generation, sight)
    return Object.keys(config).every((set) => sight.visibility.values(set))
  }
}

/** Of the present where the generation was purged, as it may be once its results are archived. */
function sightOn(parts: EvaluationReads, by: By, generation: number): Sight {
  try {
    return sightOf(parts, by, parts.worlds.at(generation))
  } catch (error) {
    if (error instanceof AlmanacError && error.code === 'generation.not_found') return sightOf(parts, by)
    throw error
  }
}

/** One's own results, or any with operations.manage. @throws AlmanacError `access.denied`. */
export function demandChange(parts: EvaluationParts, by: By, result: ResultView): void {
  if (by.actor !== result.actor)
    demand(
      sightOf(parts, by).access,
      'operations.manage',
      `to change the result ${result.label} of ${result.actor}`,
    )
}

/** Writes a result and its audit row in one transaction. */
export async function putResult(
  parts: EvaluationParts,
  by: By,
  kind: 'result.stored' | 'result.rebound' | 'result.archived',
  row: StoredResult,
  before: ResultView | null,
): Promise<void> {
  const short = ({ value, binding, state }: Pick<StoredResult, 'value' | 'binding' | 'state'>) => ({
    value,
    binding,
    state,
  })
  await parts.write((transactor) => {
    transactor.putResult(row)
    note(transactor, by, parts.clock.now(), {
      component: `result/${row.id}`,
      kind,
      before: before === null ? null : short(before as unknown as StoredResult),
      after: short(row),
    })
  })
}
