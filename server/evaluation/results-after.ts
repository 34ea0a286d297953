// Finds stored results that would change over a candidate: each is evaluated again over the present and over the
// candidate, a few at a time, so that a response never waits for all of them (studio: Review, impact; completions 3).
import type { ResultChange, ResultsImpact } from '#kernel/change/index.ts'
import { compiledOver, evaluateBound, type Evaluation, type EvaluationWorld } from '#kernel/config/index.ts'
import { AlmanacError } from '#kernel/errors/almanac-error.ts'
import type { ComponentRename } from '#kernel/graph/index.ts'
import type { By } from '../access/index.ts'
import type { OrgReader } from '../ports/org-store.ts'
import type { EvaluationReads } from './parts.ts'
import { componentToday, setNamed, type Named } from './lineage.ts'
import { mappedScope, presentQuestion, rewritten } from './present-question.ts'
import { questionOf, resultView, type ResultView } from './result-view.ts'
import { resultSeer } from './results.ts'
import { setsOf } from './sight.ts'

/** A world, and what the viewer sees of it. */
export interface ViewedWorld {
  whole: EvaluationWorld
  seen: EvaluationWorld
  /** Whether the values of a set or flag are shown to the viewer. */
  shows(set: string): boolean
}

export interface ResultsAfterAsk {
  /** Sets and flags that change, by their current keys. */
  sets: ReadonlySet<string>
  functions: ReadonlySet<string>
  /** Renames in the candidate. */
  renames: readonly ComponentRename[]
  present: ViewedWorld
  candidate: ViewedWorld
  /** The id of the last result that was examined. */
  after?: string | undefined
  /** The number of results to examine. */
  look: number
}

const page = 500

/**
 * Newest first. Results that the viewer cannot see are omitted, and those that read hidden values now or over the
 * candidate.
 */
export function resultsAfter(parts: EvaluationReads, by: By, ask: ResultsAfterAsk): ResultsImpact {
  const maySee = resultSeer(parts, by)
  const mayRead = readingOf(parts, ask)
  const changed: ResultChange[] = []
  let [looked, reading, last] = [0, 0, ask.after]
  let next: string | null = null
  while (next === null) {
    const rows = parts.store.read((reader) => reader.results({ before: last, limit: page }))
    for (const row of rows) {
      if (looked === ask.look) {
        next = last!
        break
      }
      last = row.id
      if (row.state !== 'bound') continue
      looked += 1
      const result = resultView(row)
      if (!mayRead(result) || !maySee(result)) continue
      reading += 1
      const found = changeOf(parts, result, ask)
      if (found !== null) changed.push(found)
    }
    if (rows.length < page) break
  }
  return { changed, looked, total: boundTotal(parts), reading, next }
}

function boundTotal({ store }: EvaluationReads): number {
  let total = 0
  for (const count of store.read((reader) => reader.boundGenerations()).values()) total += count
  return total
}

/**
 * Whether a result reads what changes, by the current keys of everything that it binds; what is not found may have
 * changed.
 */
function readingOf({ store }: EvaluationReads, { sets, functions }: ResultsAfterAsk) {
  const known = new Map<string, string | null>()
  const today = (type: 'set' | 'calc_function', key: string, generation: number): string | null => {
    const place = `${generation} ${type}/${key}`
    if (!known.has(place))
      known.set(
        place,
        store.read((reader) => keyToday(reader, type, key, generation)),
      )
    return known.get(place)!
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
  reader: OrgReader,
  type: 'set' | 'calc_function',
  key: string,
  generation: number,
): string | null {
  const named: Named | null = type === 'set' ? setNamed(reader, key, generation) : { type, key }
  return (named === null ? null : componentToday(reader, named, generation))?.key ?? null
}

function changeOf(parts: EvaluationReads, result: ResultView, ask: ResultsAfterAsk): ResultChange | null {
  const asked = presentOf(parts, result)
  const now = asked.question === null ? asked : answerOf(asked.question, ask.present, parts)
  const after = asked.question === null ? asked : answerOf(renamed(asked.question, ask), ask.candidate, parts)
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

/** The question in today's names. */
function presentOf(parts: EvaluationReads, result: ResultView): Answer & { question: Evaluation | null } {
  const recorded = {
    question: questionOf(result),
    value: result.value,
    binding: result.binding,
    stored: result,
  }
  try {
    const { question } = presentQuestion(parts, recorded)
    return { question, value: null, error: null }
  } catch (error) {
    return { question: null, ...refused(error) }
  }
}

/** Null if it reads hidden values. A failure is explained in terms of what the viewer sees. */
function answerOf(
  question: Evaluation,
  { whole, seen, shows }: ViewedWorld,
  { sha256 }: EvaluationReads,
): Answer | null {
  try {
    if (!setsOf(compiledOver(question, whole.view).reads).every(shows)) return null
    return { value: evaluateBound(question, seen, sha256).value, error: null }
  } catch (error) {
    return refused(error)
  }
}

function refused(error: unknown): Answer {
  if (error instanceof AlmanacError) return { value: null, error: error.message }
  throw error
}

function renamed(question: Evaluation, { renames, present }: ResultsAfterAsk): Evaluation {
  const moved = renames.map(({ type, from, to }) => ({ type, key: from, to }))
  return {
    ...question,
    scopePath: mappedScope(
      question.scopePath,
      (type, key) => moved.find((each) => each.type === type && each.key === key)?.to ?? key,
    ),
    expression: rewritten(question, present.whole.view, moved),
  }
}
