// What one user sees of one generation. The playground is outside of logic: it needs a read grant on every set that an
// expression reads, through calc functions too (docs/reference/access.md).
import type { ScopePath } from '#kernel/components/scopes.ts'
import { compileCached, type Evaluation, type EvaluationSnapshot } from '#kernel/config/index.ts'
import type { CompileResult, Reads } from '#kernel/expr/index.ts'
import {
  requireScopePath,
  requireVisibleValues,
  effectiveAccess,
  PastVisibility,
  pastReaderOf,
  scopePathOf,
  visibilityIn,
  visibleSlice,
  visibleView,
  type Actor,
  type EffectiveAccess,
  type Visibility,
} from '../access/index.ts'
import { requireWellFormedText } from './inputs.ts'
import type { EvaluationReadDeps } from './deps.ts'

export interface EvaluationContext {
  access: EffectiveAccess
  visibility: Visibility
  /** The generation without the sets that this user must not know of. */
  world: EvaluationSnapshot
}

/** The sight of `by` on a world; if omitted, the active one. */
export function evaluationContextOf(
  parts: EvaluationReadDeps,
  by: Actor,
  given?: EvaluationSnapshot,
): EvaluationContext {
  const active = parts.worlds.active()
  const world = given ?? active
  const access = parts.store.read((reader) => effectiveAccess(reader, by.actor, active.view))
  const visibility = visibilityAt(parts, access, world)
  if (access.platformRoot) return { access, visibility, world }
  const view = visibleView(world.view, visibility)
  return { access, visibility, world: { ...world, view, slice: visibleSlice(world.slice, visibility) } }
}

function visibilityAt(
  parts: EvaluationReadDeps,
  access: EffectiveAccess,
  world: EvaluationSnapshot,
): Visibility {
  const active = parts.worlds.active()
  if (world.generation === active.generation) return visibilityIn(access, world.view)
  return new PastVisibility(access, active).at(pastReaderOf(parts.store), world.generation)
}

/**
 * The expression, compiled over what this user sees. Its validity is checked by the evaluation.
 * @throws AlmanacError as `demandValues`, for the first set or flag that it reads and this user cannot read.
 */
export function compileFor(
  sight: EvaluationContext,
  question: Pick<Evaluation, 'expression' | 'inputs'>,
): CompileResult {
  const compiled = compileCached(question, sight.world.view)
  const { view } = sight.world
  // The compiler reports a name that does not exist or that this user must not know of.
  for (const set of setsOf(compiled.reads))
    if (view.has('config_set', set) || view.has('feature_flag', set))
      requireVisibleValues(sight.visibility, set, sight.access.user)
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
export function scopeFor(
  parts: EvaluationReadDeps,
  sight: EvaluationContext,
  given: ScopePath | undefined,
): ScopePath {
  for (const [kind, value] of Object.entries(given ?? {}))
    for (const text of [value].flat())
      if (typeof text === 'string') requireWellFormedText(text, `The scope ${kind}`)
  return parts.store.read((reader) => {
    if (given === undefined) return scopePathOf(reader, sight.access)
    requireScopePath(reader, given, [sight.world.view, reader.view(reader.activeGeneration())])
    return { environment: reader.facts().environment, ...given }
  })
}
