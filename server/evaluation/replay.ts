// Replay: the vintage again, byte for byte; in another environment, what of it is other there (specification 2.6).
import { shortDigest } from '#kernel/change/index.ts'
import {
  replay,
  SINGLETON,
  type Difference,
  type EvaluationWorld,
  type Replayed,
} from '#kernel/config/index.ts'
import { AlmanacError } from '#kernel/errors/almanac-error.ts'
import { recordingWorld, type Recording } from '#kernel/evidence/index.ts'
import type { By } from '../access/index.ts'
import { boundWorld } from './bound-world.ts'
import { explainedIn, type ResolutionExplained } from './explain-resolution.ts'
import { recordedOf, type GivenResult, type Recorded } from './given-result.ts'
import type { EvaluationParts } from './parts.ts'
import { demandReads, sightOf } from './sight.ts'

export interface ReportedDifference extends Difference {
  /** A sentence; of a set that varies by environment, also what this org has for the recorded one. */
  message: string
}

export interface ReplayAnswer extends Omit<Replayed, 'differences'> {
  differences: ReportedDifference[]
  /** The environment of the recorded scope path, honoured although this org is another one; null where they are one. */
  honouredEnvironment: string | null
  /** Every set and key that was read, with the walk that found its entry. */
  steps: (ResolutionExplained & { set: string; key: string | null })[]
}

/** @throws AlmanacError `binding.differs` where what was bound is not here and nothing can be computed. */
export function replayFor(parts: EvaluationParts, by: By, given: GivenResult): ReplayAnswer {
  const recorded = recordedOf(parts, by, given)
  const { question, value, binding } = recorded
  const sight = sightOf(parts, by, boundWorld(parts, binding))
  demandReads(sight, question.expression, question.inputs)
  const recording = recordingWorld(sight.world, Object.keys(binding.config))
  const request = { expression: question.expression, inputs: question.inputs, value, binding }
  const replayed = attempt(() => replay(request, recording.world, parts.sha256), recorded, sight.world)
  const here = parts.store.read((reader) => reader.facts().environment)
  const bound = binding.scopePath.environment
  return {
    ...replayed,
    differences: replayed.differences.map((difference) => reported(difference, recorded, recording)),
    honouredEnvironment: bound === undefined || bound === here ? null : bound,
    steps: stepsOf(parts, recorded, recording, sight.world),
  }
}

/** Where the bound sets are not here, a failing evaluation says less than that they are not. */
function attempt(work: () => Replayed, { binding }: Recorded, world: EvaluationWorld): Replayed {
  try {
    return work()
  } catch (error) {
    const missing = Object.keys(binding.config).filter((set) => !world.slice.sets.has(set))
    if (missing.length === 0 || !(error instanceof AlmanacError)) throw error
    throw new AlmanacError(
      'binding.differs',
      `The binding cannot be honoured here: there is no ${missing.join(', no ')} in generation ${world.generation}. ${error.message}`,
      { details: missing, cause: error },
    )
  }
}

function reported(difference: Difference, { binding }: Recorded, recording: Recording): ReportedDifference {
  const { kind, key, recorded, found } = difference
  const what = kind === 'config' ? key : `The calc function ${key}`
  const other =
    found === null
      ? `${what} is not here`
      : `${what} is ${shortDigest(found)} here, and was ${shortDigest(recorded)}`
  const message = `${other}.${kind === 'config' ? atEnvironment(key, binding.scopePath.environment, recording) : ''}`
  return { ...difference, message }
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
