// Replay: reproduces the vintage byte for byte; in a different environment, also reports what differs there
// (docs/reference/bindings-and-evidence.md).
import { shortDigest } from '#kernel/change/index.ts'
import {
  replay,
  SINGLETON_KEY,
  type BindingDifference,
  type EvaluationSnapshot,
  type ReplayResult,
} from '#kernel/config/index.ts'
import { scopeName } from '#kernel/components/scopes.ts'
import { AlmanacError } from '#kernel/errors/almanac-error.ts'
import { recordingSnapshot, type ReadRecording } from '#kernel/evidence/index.ts'
import type { LocalResolution, ReplayOutcome, ReportedDifference } from '#wire/evaluation.ts'
import type { Actor } from '../access/index.ts'
import { boundSnapshot } from './bound-snapshot.ts'
import { explainInSnapshot } from './explain-resolution.ts'
import { loadRecordedResult, type ResultSource, type RecordedResult } from './result-source.ts'
import type { EvaluationDeps } from './deps.ts'
import { compileFor, evaluationContextOf } from './evaluation-context.ts'

/** @throws AlmanacError `binding.differs` if what was bound does not exist here and nothing can be computed. */
export function replayFor(deps: EvaluationDeps, by: Actor, given: ResultSource): ReplayOutcome {
  const recorded = loadRecordedResult(deps, by, given)
  const { question, value, binding } = recorded
  const context = evaluationContextOf(deps, by, boundSnapshot(deps, binding))
  const compiled = compileFor(context, question)
  const recording = recordingSnapshot(context.snapshot, Object.keys(binding.config))
  const request = { expression: question.expression, inputs: question.inputs, value, binding }
  const again = (): ReplayResult => replay(request, recording.snapshot, deps.sha256, compiled)
  const replayed = attempt(again, recorded, context.snapshot)
  const steps = stepsOf(deps, recorded, recording, context.snapshot)
  const here = deps.store.read((reader) => reader.properties.get().environment)
  const bound = binding.scopePath.environment
  return {
    ...replayed,
    differences: replayed.differences.map((difference) =>
      reportDifference(difference, recorded, recording, steps),
    ),
    honouredEnvironment: bound === undefined || bound === here ? null : bound,
    steps,
  }
}

/** If the bound sets do not exist here, reports that: it explains more than a failed evaluation. */
function attempt(
  work: () => ReplayResult,
  { binding }: RecordedResult,
  snapshot: EvaluationSnapshot,
): ReplayResult {
  try {
    return work()
  } catch (error) {
    const missing = Object.keys(binding.config).filter((set) => !snapshot.slice.sets.has(set))
    if (missing.length === 0 || !(error instanceof AlmanacError)) throw error
    throw new AlmanacError(
      'binding.differs',
      `The binding cannot be replayed here: generation ${snapshot.generation} does not have ${missing.join(' or ')}. ${error.message}`,
      { details: missing, cause: error },
    )
  }
}

function reportDifference(
  difference: BindingDifference,
  { binding }: RecordedResult,
  recording: ReadRecording,
  steps: ReplayOutcome['steps'],
): ReportedDifference {
  const { kind, key, recorded, found: actual } = difference
  const what = kind === 'config' ? key : `The calc function ${key}`
  const other =
    actual === null
      ? `${what} does not exist here`
      : `${what} is ${shortDigest(actual)} here; it was ${shortDigest(recorded)}`
  if (kind === 'function') {
    const now = recording.snapshot.view.get('calc_function', key)?.body.expression
    return {
      ...difference,
      message: now === undefined ? `${other}.` : `${other}: ${shorten(now)}`,
      here: [],
    }
  }
  const answers = steps.filter(({ set }) => set === key).map(hereAnswer)
  const sentences = answers.slice(0, maxReportedKeys).map((answer) => ` ${hereWords(answer)}`)
  const more =
    answers.length > maxReportedKeys ? ` ${answers.length - maxReportedKeys} more keys were read.` : ''
  const environment = atEnvironment(key, binding.scopePath.environment, recording)
  return { ...difference, message: `${other}.${sentences.join('')}${more}${environment}`, here: answers }
}

/** The number of keys that the sentence of one set names, and of characters that it shows of one text. */
const maxReportedKeys = 3
const maxTextLength = 120

function hereAnswer({ key, resolution }: ReplayOutcome['steps'][number]): LocalResolution {
  if (resolution === null) return { key, entry: null, scope: null, values: null }
  const { entry, scope, values } = resolution
  return { key, entry, scope, values }
}

function hereWords({ key, entry, scope, values }: LocalResolution): string {
  const subject = key === null ? 'it' : key
  if (entry === null) return `Here ${subject} has no value.`
  const fieldTexts = Object.entries(values ?? {}).map(
    ([field, value]) => `${field} ${shorten(String(value))}`,
  )
  const at = scope === null || scope.kind === 'org' ? '' : ` at ${scope.kind}=${scopeName(scope)}`
  return `Here ${subject} resolves to ${entry}${at}: ${fieldTexts.join(', ')}.`
}

function shorten(text: string): string {
  return text.length > maxTextLength ? `${text.slice(0, maxTextLength - 1)}…` : text
}

/** What this org has in the set at the recorded environment, for the keys that the expression reads. */
function atEnvironment(
  set: string,
  environment: string | undefined,
  { snapshot, keys }: ReadRecording,
): string {
  const slice = snapshot.slice.sets.get(set)
  if (environment === undefined || slice?.chain.includes('environment') !== true) return ''
  const entries = [...(keys.get(set) ?? [])].flatMap(
    (key) =>
      slice.rowsByKey
        .get(key)
        ?.environment?.get(environment)
        ?.map(({ entry }) => entry) ?? [],
  )
  return entries.length === 0
    ? ` It has no entry for environment=${environment} here.`
    : ` Its entries for environment=${environment} here: ${entries.join(', ')}.`
}

function stepsOf(
  deps: EvaluationDeps,
  { binding }: RecordedResult,
  { keys }: ReadRecording,
  snapshot: EvaluationSnapshot,
): ReplayOutcome['steps'] {
  const { asOf, scopePath } = binding
  return [...keys].flatMap(([set, keyTexts]) =>
    [...keyTexts].map((text) => {
      const key = text === SINGLETON_KEY ? null : text
      return { set, key, ...explainInSnapshot(deps, snapshot, { set, key, scopePath, asOf }) }
    }),
  )
}
