// Finds stored results that would change over a candidate: each is evaluated again over the active generation and over
// the candidate, a few at a time, so that a response never waits for all of them
// (docs/reference/bindings-and-evidence.md).
import type { ResultChange, ResultsImpact } from '#kernel/change/index.ts'
import {
  compileCached,
  evaluateWithBinding,
  type Evaluation,
  type EvaluationSnapshot,
} from '#kernel/config/index.ts'
import { AlmanacError } from '#kernel/errors/almanac-error.ts'
import type { ComponentRename } from '#kernel/graph/index.ts'
import type { Actor } from '../access/index.ts'
import type { OrgReader } from '../ports/org-store.ts'
import type { EvaluationReadDeps } from './deps.ts'
import { componentToday, findSetOrFlagAt, type ComponentRef } from './component-today.ts'
import { mapScope, presentQuestion, rewriteExpression } from './present-question.ts'
import { questionOf, resultView, type ResultView } from './result-view.ts'
import { resultFilterFor } from './results.ts'
import { setsOf } from './evaluation-context.ts'

/** A snapshot, and what the viewer sees of it. */
export interface ViewedSnapshot {
  full: EvaluationSnapshot
  visible: EvaluationSnapshot
  /** Whether the values of a set or flag are shown to the viewer. */
  canSeeValues(set: string): boolean
}

export interface ResultsImpactRequest {
  /** Sets and flags that change, by their current keys. */
  sets: ReadonlySet<string>
  functions: ReadonlySet<string>
  /** Renames in the candidate. */
  renames: readonly ComponentRename[]
  present: ViewedSnapshot
  candidate: ViewedSnapshot
  /** The id of the last result that was examined. */
  after?: string | undefined
  /** The number of results to examine. */
  look: number
}

const page = 500

/**
 * Newest first. Results that the viewer cannot see are neither counted nor read, so nothing reveals how many there are
 * and between which others. Results that read hidden values in the active generation or in the candidate are omitted
 * from the list.
 */
export function resultsImpactOf(
  deps: EvaluationReadDeps,
  by: Actor,
  ask: ResultsImpactRequest,
): ResultsImpact {
  const mayRead = createReadFilter(deps, ask)
  const groups = deps.store.read((reader) => reader.results.boundGroups()).filter(resultFilterFor(deps, by))
  const changed: ResultChange[] = []
  let [looked, reading, last] = [0, 0, ask.after]
  let hasMore = groups.length > 0
  while (hasMore && looked < ask.look) {
    const limit = Math.min(page, ask.look - looked)
    // One more shows whether to continue.
    const options = { before: last, limit: limit + 1 }
    const rows = deps.store.read((reader) => reader.results.listBound(groups, options))
    hasMore = rows.length > limit
    for (const row of rows.slice(0, limit)) {
      last = row.id
      looked += 1
      const result = resultView(row)
      if (!mayRead(result)) continue
      reading += 1
      const found = changeOf(deps, result, ask)
      if (found !== null) changed.push(found)
    }
  }
  const total = groups.reduce((sum, { count }) => sum + count, 0)
  return { changed, looked, total, reading, next: hasMore ? (last ?? null) : null }
}

/**
 * Whether a result reads what changes, by the current keys of everything that it binds; what is not found may have
 * changed.
 */
function createReadFilter({ store }: EvaluationReadDeps, { sets, functions }: ResultsImpactRequest) {
  const cache = new Map<string, string | null>()
  const today = (type: 'set' | 'calc_function', key: string, generation: number): string | null => {
    const place = `${generation} ${type}/${key}`
    if (!cache.has(place))
      cache.set(
        place,
        store.read((reader) => keyToday(reader, type, key, generation)),
      )
    return cache.get(place)!
  }
  return ({ binding: { generation, config, functions: called } }: ResultView): boolean => {
    const changes = (type: 'set' | 'calc_function', keys: object, changed: ReadonlySet<string>): boolean =>
      Object.keys(keys).some((key) => {
        const now = today(type, key, generation)
        return now === null || changed.has(now)
      })
    return changes('set', config, sets) || changes('calc_function', called, functions)
  }
}

function keyToday(
  reader: Pick<OrgReader, 'identities'>,
  type: 'set' | 'calc_function',
  key: string,
  generation: number,
): string | null {
  const named: ComponentRef | null = type === 'set' ? findSetOrFlagAt(reader, key, generation) : { type, key }
  return (named === null ? null : componentToday(reader, named, generation))?.key ?? null
}

function changeOf(
  deps: EvaluationReadDeps,
  result: ResultView,
  ask: ResultsImpactRequest,
): ResultChange | null {
  const present = presentOf(deps, result)
  const now = present.question === null ? present : answerOf(present.question, ask.present, deps)
  const after =
    present.question === null ? present : answerOf(renameQuestion(present.question, ask), ask.candidate, deps)
  if (now === null || after === null) return null
  if (now.value === after.value && now.error === after.error) return null
  const { id, label, at, actor, value, binding } = result
  return {
    ...{ id, label, at, actor, stored: value },
    ...{ now: now.value, nowError: now.error, after: after.value, afterError: after.error },
    reads: [...Object.keys(binding.config), ...Object.keys(binding.functions)].sort(),
  }
}

interface Answer {
  value: string | null
  error: string | null
}

/** The request in today's names. */
function presentOf(deps: EvaluationReadDeps, result: ResultView): Answer & { question: Evaluation | null } {
  const recorded = {
    question: questionOf(result),
    value: result.value,
    binding: result.binding,
    storedResult: result,
  }
  try {
    const { question } = presentQuestion(deps, recorded)
    return { question, value: null, error: null }
  } catch (error) {
    return { question: null, ...errorValue(error) }
  }
}

/** Null if it reads hidden values. A failure is explained in terms of what the viewer sees. */
function answerOf(
  question: Evaluation,
  { full, visible, canSeeValues }: ViewedSnapshot,
  { sha256 }: EvaluationReadDeps,
): Answer | null {
  try {
    if (!setsOf(compileCached(question, full.view).reads).every(canSeeValues)) return null
    return { value: evaluateWithBinding(question, visible, sha256).value, error: null }
  } catch (error) {
    return errorValue(error)
  }
}

function errorValue(error: unknown): Answer {
  if (error instanceof AlmanacError) return { value: null, error: error.message }
  throw error
}

function renameQuestion(question: Evaluation, { renames, present }: ResultsImpactRequest): Evaluation {
  const moved = renames.map(({ type, from, to }) => ({ type, key: from, to }))
  return {
    ...question,
    scopePath: mapScope(
      question.scopePath,
      (type, key) => moved.find((each) => each.type === type && each.key === key)?.to ?? key,
    ),
    expression: rewriteExpression(question, present.full.view, moved),
  }
}
