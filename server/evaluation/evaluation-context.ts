// What one user sees of one generation. The playground is outside of logic: it needs a read grant on every set that an
// expression reads, through calc functions too (docs/reference/access.md).
import type { ScopePath } from '#kernel/components/scopes.ts'
import { compileCached, type Evaluation, type EvaluationSnapshot } from '#kernel/config/index.ts'
import type { CompileResult, Reads } from '#kernel/expr/index.ts'
import {
  accessOfActor,
  requireScopePath,
  requireVisibleValues,
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
  snapshot: EvaluationSnapshot
}

/** What `by` can read of a snapshot; if omitted, of the active one. */
export function evaluationContextOf(
  deps: EvaluationReadDeps,
  by: Actor,
  requestedSnapshot?: EvaluationSnapshot,
): EvaluationContext {
  const active = deps.snapshots.active()
  const snapshot = requestedSnapshot ?? active
  const access = accessOfActor(deps.store, by, active.view)
  const visibility = visibilityAt(deps, access, snapshot)
  if (access.platformRoot) return { access, visibility, snapshot }
  const view = visibleView(snapshot.view, visibility)
  return {
    access,
    visibility,
    snapshot: { ...snapshot, view, slice: visibleSlice(snapshot.slice, visibility) },
  }
}

function visibilityAt(
  deps: EvaluationReadDeps,
  access: EffectiveAccess,
  snapshot: EvaluationSnapshot,
): Visibility {
  const active = deps.snapshots.active()
  if (snapshot.generation === active.generation) return visibilityIn(access, snapshot.view)
  return new PastVisibility(access, active).at(pastReaderOf(deps.store), snapshot.generation)
}

/**
 * The expression, compiled over what this user sees. Its validity is checked by the evaluation.
 * @throws AlmanacError as `requireValues`, for the first set or flag that it reads and this user cannot read.
 */
export function compileFor(
  context: EvaluationContext,
  question: Pick<Evaluation, 'expression' | 'inputs'>,
): CompileResult {
  const compiled = compileCached(question, context.snapshot.view)
  const { view } = context.snapshot
  // The compiler reports a name that does not exist or that this user must not know of.
  for (const set of setsOf(compiled.reads))
    if (view.has('config_set', set) || view.has('feature_flag', set))
      requireVisibleValues(context.visibility, set, context.access.user)
  return compiled
}

/** Sets and flags that are read, through calc functions too. */
export function setsOf({ deepSets, deepFlags }: Reads): string[] {
  return [...deepSets.map(({ set }) => set), ...deepFlags]
}

/**
 * The scope path of a request: a given path is used unchanged, with the org's environment if it names none; otherwise
 * that of the caller.
 * @throws AlmanacError request.invalid for a name that does not exist
 */
export function scopeFor(
  deps: EvaluationReadDeps,
  context: EvaluationContext,
  requestedScope: ScopePath | undefined,
): ScopePath {
  for (const [kind, value] of Object.entries(requestedScope ?? {}))
    for (const text of [value].flat())
      if (typeof text === 'string') requireWellFormedText(text, `The scope ${kind}`)
  return deps.store.read((reader) => {
    if (requestedScope === undefined) return scopePathOf(reader, context.access)
    requireScopePath(reader, requestedScope, [
      context.snapshot.view,
      reader.generations.view(reader.generations.active()),
    ])
    return { environment: reader.properties.get().environment, ...requestedScope }
  })
}
