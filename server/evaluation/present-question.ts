// The question of a stored result in the names of today: what it reads may have been renamed since (completions 3).
import type { ScopePath } from '#kernel/components/scopes.ts'
import type { Evaluation } from '#kernel/config/index.ts'
import { renameInExpression, type ExprRename } from '#kernel/expr/index.ts'
import { AlmanacError } from '#kernel/errors/almanac-error.ts'
import type { OrgReader } from '../ports/org-store.ts'
import type { Recorded } from './given-result.ts'
import { componentToday, setToday, type Today } from './lineage.ts'
import type { EvaluationReads } from './parts.ts'

export interface Renamed {
  from: string
  to: string
  /** The generation that renamed it. */
  at: number
}

/** @throws AlmanacError `config.unknown_set` naming what is gone, and since when. */
export function presentQuestion(
  parts: EvaluationReads,
  { question, binding }: Recorded,
): { question: Evaluation; renamed: Renamed[] } {
  return parts.store.read((reader) => {
    const { generation } = binding
    // Purged, as it may be once its results are archived.
    if (reader.generation(generation) === undefined) return { question, renamed: [] }
    const sets = Object.keys(binding.config).map((from) => ({
      from,
      today: setToday(reader, from, generation),
    }))
    const gone = sets.find(({ today }) => today.key === null)
    if (gone !== undefined) throw removed(gone.from, gone.today)
    const functions = Object.keys(binding.functions).map((from) => ({
      from,
      today: componentToday(reader, 'calc_function', from, generation),
    }))
    const moved = (list: typeof sets): Renamed[] =>
      list.flatMap(({ from, today }) =>
        today.key === null || today.key === from ? [] : [{ from, to: today.key, at: today.renamedAt! }],
      )
    const [movedSets, movedFunctions] = [moved(sets), moved(functions)]
    const renamed = [...movedSets, ...movedFunctions]
    const asked = { ...question, scopePath: presentScope(reader, question.scopePath, generation) }
    if (renamed.length === 0) return { question: asked, renamed }
    const renames: ExprRename[] = [
      ...movedSets.flatMap(({ from, to }) => (['set', 'flag'] as const).map((kind) => ({ kind, from, to }))),
      ...movedFunctions.map(({ from, to }) => ({ kind: 'function' as const, from, to })),
    ]
    return { question: { ...asked, expression: written(reader, question, generation, renames) }, renamed }
  })
}

/** Apps and permission sets are components too; one that is gone stays as it was called, and matches nothing. */
function presentScope(reader: OrgReader, path: ScopePath, since: number): ScopePath {
  const today = (type: 'app' | 'permission_set', key: string): string =>
    componentToday(reader, type, key, since).key ?? key
  return {
    ...path,
    ...(path.app === undefined ? {} : { app: today('app', path.app) }),
    ...(path.permission_set === undefined
      ? {}
      : { permission_set: path.permission_set.map((key) => today('permission_set', key)) }),
  }
}

function written(
  reader: OrgReader,
  { expression, inputs }: Evaluation,
  generation: number,
  renames: readonly ExprRename[],
): string {
  const site = { kind: 'playground' as const, inputs: inputs.map(({ key, type }) => ({ key, type })) }
  return renameInExpression(expression, site, reader.view(generation), renames)
}

function removed(set: string, today: Today): AlmanacError {
  const since = 'goneAt' in today && today.goneAt !== null ? ` since generation ${today.goneAt}` : ''
  return new AlmanacError(
    'config.unknown_set',
    `${set}, which this result reads, is gone${since}, so it has no answer today. A replay gives the answer as it was.`,
    { details: [{ set, goneAt: 'goneAt' in today ? today.goneAt : null }] },
  )
}
