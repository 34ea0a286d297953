// What one user sees of one generation. The playground is outside of logic: it needs a read grant on every set that an
// expression reads, through calc functions too (specification 5.4).
import type { ScopePath } from '#kernel/components/scopes.ts'
import { compiledOver, type Evaluation, type EvaluationWorld } from '#kernel/config/index.ts'
import type { Compiled, Reads } from '#kernel/expr/index.ts'
import {
  demandScopePath,
  demandValues,
  effectiveAccess,
  PastVisibility,
  pastReadsOf,
  scopePathOf,
  visibleSets,
  visibleSlice,
  visibleView,
  type By,
  type EffectiveAccess,
  type Visibility,
} from '../access/index.ts'
import { demandText } from './inputs.ts'
import type { EvaluationReads } from './parts.ts'

export interface Sight {
  access: EffectiveAccess
  visibility: Visibility
  /** The generation without the sets that this user must not know of. */
  world: EvaluationWorld
}

/** The sight of `by` on a world; if omitted, the active one. */
export function sightOf(parts: EvaluationReads, by: By, given?: EvaluationWorld): Sight {
  const active = parts.worlds.active()
  const world = given ?? active
  const access = parts.store.read((reader) => effectiveAccess(reader, by.actor, active.view))
  const visibility = visibilityAt(parts, access, world)
  if (access.platformRoot) return { access, visibility, world }
  const view = visibleView(world.view, visibility)
  return { access, visibility, world: { ...world, view, slice: visibleSlice(world.slice, visibility) } }
}

function visibilityAt(parts: EvaluationReads, access: EffectiveAccess, world: EvaluationWorld): Visibility {
  const active = parts.worlds.active()
  if (world.generation === active.generation) return visibleSets(access, world.view)
  return new PastVisibility(access, active).at(pastReadsOf(parts.store), world.generation)
}

/**
 * The expression, compiled over what this user sees. Its validity is checked by the evaluation.
 * @throws AlmanacError as `demandValues`, for the first set or flag that it reads and this user cannot read.
 */
export function compiledFor(sight: Sight, question: Pick<Evaluation, 'expression' | 'inputs'>): Compiled {
  const compiled = compiledOver(question, sight.world.view)
  const { view } = sight.world
  // The compiler reports a name that does not exist or that this user must not know of.
  for (const set of setsOf(compiled.reads))
    if (view.has('config_set', set) || view.has('feature_flag', set))
      demandValues(sight.visibility, set, sight.access.user)
  return compiled
}

/** Sets and flags that are read, through calc functions too. */
export function setsOf({ deepSets, deepFlags }: Reads): string[] {
  return [...deepSets.map(({ set }) => set), ...deepFlags]
}

/**
 * The scope path of a question: a given path is used unchanged, with the org's environment if it names none; otherwise
 * that of the caller.
 * @throws AlmanacError request.invalid for a name that does not exist
 */
export function scopeFor(parts: EvaluationReads, sight: Sight, given: ScopePath | undefined): ScopePath {
  for (const [kind, value] of Object.entries(given ?? {}))
    for (const text of [value].flat()) if (typeof text === 'string') demandText(text, `The scope ${kind}`)
  return parts.store.read((reader) => {
    if (given === undefined) return scopePathOf(reader, sight.access)
    demandScopePath(reader, given, [sight.world.view, reader.view(reader.activeGeneration())])
    return { environment: reader.facts().environment, ...given }
  })
}
