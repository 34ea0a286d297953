// Evidence of a stored result, and the archive that lets go of its generation (completions 3: archive policy).
import { AlmanacError } from '#kernel/errors/almanac-error.ts'
import { makeBundle } from '#kernel/evidence/index.ts'
import type { By } from '../access/index.ts'
import type { EvaluationParts } from './parts.ts'
import { questionOf, storedResult, type ResultView } from './result-view.ts'
import { demandChange, putResult, resultFor } from './results.ts'

/** The text of the bundle, signed by the org's key. @throws AlmanacError `binding.not_found`, `generation.not_found`. */
export function evidenceFor(parts: EvaluationParts, by: By, resultId: string): string {
  return evidenceOf(parts, resultFor(parts, by, resultId))
}

/** The bundle, and the result marked as archived: its generation may be purged from now on. */
export async function archive(
  parts: EvaluationParts,
  by: By,
  resultId: string,
): Promise<{ resultId: string; evidence: string }> {
  const result = resultFor(parts, by, resultId)
  demandChange(parts, by, result)
  const evidence = evidenceOf(parts, result)
  const { id, label, at, actor, value, binding } = result
  const row = storedResult({ id, label, at, actor }, questionOf(result), { value, binding, type: '' })
  await putResult(parts, by, 'result.archived', { ...row, state: 'archived' }, result)
  return { resultId, evidence }
}

function evidenceOf(parts: EvaluationParts, result: ResultView): string {
  const { generation } = result.binding
  const world = parts.worlds.at(generation)
  const { id, label, at, actor, value, binding } = result
  return parts.store.read((reader) => {
    const row = reader.generation(generation)
    if (row === undefined)
      throw new AlmanacError(
        'generation.not_found',
        `Generation ${generation}, which the result ${label} binds, is not here any more.`,
      )
    const { lineage, name, environment } = reader.facts()
    const { expression, inputs } = questionOf(result)
    return makeBundle(
      {
        org: { lineage, name, environment },
        generation: { generation, at: row.at, actor: row.actor, changeDigest: row.changeDigest },
        result: { id, label, at, actor, expression, inputs, value, binding },
        world,
        digests: reader.digests(generation),
      },
      parts.keys,
      parts.sha256,
    )
  })
}
