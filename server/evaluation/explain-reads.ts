// Explains the configuration that a stored value of a record read, as far as the caller can see it.
import { SINGLETON_KEY, type Binding, type ConfigurationRead } from '#kernel/config/index.ts'
import type { BindingExplanation } from '#wire/evaluation.ts'
import type { Actor } from '../access/index.ts'
import { boundComponentsOf, expressionRenames, renamedSince } from './bound-components.ts'
import { boundSnapshot } from './bound-snapshot.ts'
import type { EvaluationDeps } from './deps.ts'
import { evaluationContextOf, type EvaluationContext } from './evaluation-context.ts'
import { explainInSnapshot } from './explain-resolution.ts'
import { formulaReasons, type FormulaComparison } from './formula-change.ts'
import { reasonsOf } from './recompute-reasons.ts'

export interface BoundReads {
  binding: Binding
  /** Null if the caller must not see with which keys and dates configuration was read. */
  reads: readonly ConfigurationRead[] | null
  /** Whether a value of configuration can decide what else was read: with a hidden set or flag, nothing is shown then. */
  followsValues: boolean
}

export interface ComparedReads extends BoundReads {
  /** What a recompute binds. */
  present: BoundReads
  /** The formula or roll-up of the value in its generation and now. */
  formula: FormulaComparison
}

export interface ComparedExplanation {
  bound: BindingExplanation
  present: BindingExplanation
  /** One sentence for each thing that differs. */
  reasons: string[]
}

/** The two bindings of a value, without the sets and flags that the caller cannot read. */
export function compareReads(
  deps: EvaluationDeps,
  by: Actor,
  { present, formula, ...bound }: ComparedReads,
): ComparedExplanation {
  const [before, after] = [visibleReads(deps, by, bound), visibleReads(deps, by, present)]
  const reads = before.reads === null || after.reads === null ? null : [...before.reads, ...after.reads]
  const keys = new Map<string, Set<string>>()
  for (const { set, key } of reads ?? [])
    keys.set(set, (keys.get(set) ?? new Set()).add(key ?? SINGLETON_KEY))
  const { generation } = before.binding
  const renames = deps.store.read((reader) =>
    renamedSince(reader, boundComponentsOf(reader, before.binding, generation).values(), generation),
  )
  const generations = { before: generation, after: after.binding.generation }
  return {
    bound: explainReads(deps, before),
    present: explainReads(deps, after),
    reasons: [
      ...formulaReasons(deps, formula, { ...generations, renames: expressionRenames(renames) }),
      ...reasonsOf(deps, {
        ...{ before: before.binding, after: after.binding },
        renames: renames.map(({ key: from, to, at }) => ({ from, to, at })),
        keys: reads === null ? null : keys,
        dates: datesOf(reads ?? []),
      }),
    ],
  }
}

function datesOf(reads: readonly ConfigurationRead[]): ReadonlyMap<string, ReadonlySet<Binding['asOf']>> {
  const dates = new Map<string, Set<Binding['asOf']>>()
  for (const { set, asOf } of reads) dates.set(set, (dates.get(set) ?? new Set()).add(asOf))
  return dates
}

interface VisibleReads extends Pick<BoundReads, 'binding' | 'reads'> {
  context: EvaluationContext
  hiddenSets: number
}

function visibleReads(
  deps: EvaluationDeps,
  by: Actor,
  { binding, reads, followsValues }: BoundReads,
): VisibleReads {
  const context = evaluationContextOf(deps, by, boundSnapshot(deps, binding))
  const config = Object.entries(binding.config).filter(([set]) => canSee(context, set))
  const hiddenSets = Object.keys(binding.config).length - config.length
  const isHidden = reads === null || (followsValues && hiddenSets > 0)
  return {
    context,
    hiddenSets,
    binding: { ...binding, config: Object.fromEntries(config) },
    reads: isHidden ? null : reads.filter(({ set }) => canSee(context, set)),
  }
}

function explainReads(
  deps: EvaluationDeps,
  { context: { snapshot }, binding, reads, hiddenSets }: VisibleReads,
): BindingExplanation {
  const { scopePath } = binding
  const steps = (reads ?? []).map(({ set, key, asOf }) => ({
    ...{ set, key },
    ...explainInSnapshot(deps, snapshot, { set, key, scopePath, asOf }),
  }))
  return { binding, steps, hiddenSets }
}

function canSee({ access, visibility, snapshot }: EvaluationContext, set: string): boolean {
  if (!snapshot.slice.sets.has(set)) return false
  return access.platformRoot || visibility.canSeeValues(set)
}
