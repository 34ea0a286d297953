// Replay: the vintage again, byte for byte; in a different environment, also what differs there (specification 2.6).
import { shortDigest } from '#kernel/change/index.ts'
import {
  replay,
  SINGLETON,
  type Difference,
  type EvaluationWorld,
  type Replayed,
  type Resolution,
} from '#kernel/config/index.ts'
import { scopeName, type Scope } from '#kernel/components/scopes.ts'
import { AlmanacError } from '#kernel/errors/almanac-error.ts'
import { recordingWorld, type Recording } from '#kernel/evidence/index.ts'
import type { By } from '../access/index.ts'
import { boundWorld } from './bound-world.ts'
import { explainedIn, type ResolutionExplained } from './explain-resolution.ts'
import { recordedOf, type GivenResult, type Recorded } from './given-result.ts'
import type { EvaluationParts } from './parts.ts'
import { compiledFor, sightOf } from './sight.ts'

export interface ReportedDifference extends Difference {
  /** Sentences: what differs, and what this org has of it at the recorded scope path and date. */
  message: string
  /** Of a set: what resolves here for each key, in the order of the reads; no entry if nothing does. */
  here: HereAnswer[]
}

export interface HereAnswer {
  key: string | null
  entry: string | null
  scope: Scope | null
  values: Resolution['values'] | null
}

export interface ReplayAnswer extends Omit<Replayed, 'differences'> {
  differences: ReportedDifference[]
  /**
   * The environment of the recorded scope path, used although this org has a different one; null if the two are the
   * same.
   */
  honouredEnvironment: string | null
  /** Every set and key that was read, with the walk that found its entry. */
  steps: (ResolutionExplained & { set: string; key: string | null })[]
}

/** @throws AlmanacError `binding.differs` if what was bound does not exist here and nothing can be computed. */
export function replayFor(parts: EvaluationParts, by: By, given: GivenResult): ReplayAnswer {
  const recorded = recordedOf(parts, by, given)
  const { question, value, binding } = recorded
  const sight = sightOf(parts, by, boundWorld(parts, binding))
  const compiled = compiledFor(sight, question)
  const recording = recordingWorld(sight.world, Object.keys(binding.config))
  const request = { expression: question.expression, inputs: question.inputs, value, binding }
  const again = (): Replayed => replay(request, recording.world, parts.sha256, compiled)
  const replayed = attempt(again, recorded, sight.world)
  const steps = stepsOf(parts, recorded, recording, sight.world)
  const here = parts.store.read((reader) => reader.facts().environment)
  const bound = binding.scopePath.environment
  return {
    ...replayed,
    differences: replayed.differences.map((difference) => reported(difference, recorded, recording, steps)),
    honouredEnvironment: bound === undefined || bound === here ? null : bound,
    steps,
  }
}

/** If the bound sets do not exist here, that explains more than a failed evaluation. */
function attempt(work: () => Replayed, { binding }: Recorded, world: EvaluationWorld): Replayed {
  try {
    return work()
  } catch (error) {
    const missing = Object.keys(binding.config).filter((set) => !world.slice.sets.has(set))
    if (missing.length === 0 || !(error instanceof AlmanacError)) throw error
    throw new AlmanacError(
      'binding.differs',
      `The binding cannot be honoured here: generation ${world.generation} does not have ${missing.join(' or ')}. ${error.message}`,
      { details: missing, cause: error },
    )
  }
}

function reported(
  difference: Difference,
  { binding }: Recorded,
  recording: Recording,
  steps: ReplayAnswer['steps'],
): ReportedDifference {
  const { kind, key, recorded, found } = difference
  const what = kind === 'config' ? key : `The calc function ${key}`
  const other =
    found === null
      ? `${what} does not exist here`
      : `${what} is ${shortDigest(found)} here; it was ${shortDigest(recorded)}`
  if (kind === 'function') {
    const now = recording.world.view.get('calc_function', key)?.body.expression
    return {
      ...difference,
      message: now === undefined ? `${other}.` : `${other}: ${shortened(now)}`,
      here: [],
    }
  }
  const answers = steps.filter(({ set }) => set === key).map(hereAnswer)
  const said = answers.slice(0, mostSaid).map((answer) => ` ${hereWords(answer)}`)
  const more = answers.length > mostSaid ? ` ${answers.length - mostSaid} more keys were read.` : ''
  const environment = atEnvironment(key, binding.scopePath.environment, recording)
  return { ...difference, message: `${other}.${said.join('')}${more}${environment}`, here: answers }
}

/** Keys that the sentence of one set names, and characters that it shows of one text. */
const mostSaid = 3
const mostShown = 120

function hereAnswer({ key, resolution }: ReplayAnswer['steps'][number]): HereAnswer {
  if (resolution === null) return { key, entry: null, scope: null, values: null }
  const { entry, scope, values } = resolution
  return { key, entry, scope, values }
}

function hereWords({ key, entry, scope, values }: HereAnswer): string {
  const asked = key === null ? 'it' : key
  if (entry === null) return `Here ${asked} has no value.`
  const told = Object.entries(values ?? {}).map(([field, value]) => `${field} ${shortened(String(value))}`)
  const at = scope === null || scope.kind === 'org' ? '' : ` at ${scope.kind}=${scopeName(scope)}`
  return `Here ${asked} resolves to ${entry}${at}: ${told.join(', ')}.`
}

function shortened(text: string): string {
  return text.length > mostShown ? `${text.slice(0, mostShown - 1)}…` : text
}

/** What this org has of the set at the recorded environment, for the keys that the expression reads. */
function atEnvironment(set: string, environment: string | undefined, { world, keys }: Recording): string {
  const slice = world.slice.sets.get(set)
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
  parts: EvaluationParts,
  { binding }: Recorded,
  { keys }: Recording,
  world: EvaluationWorld,
): ReplayAnswer['steps'] {
  const { asOf, scopePath } = binding
  return [...keys].flatMap(([set, asked]) =>
    [...asked].map((text) => {
      const key = text === SINGLETON ? null : text
      return { set, key, ...explainedIn(parts, world, { set, key, scopePath, asOf }) }
    }),
  )
}
