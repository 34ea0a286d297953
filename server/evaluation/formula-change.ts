// Names the deploy that gave a field the formula or roll-up that it has now.
import { splitId } from '#kernel/components/component.ts'
import type { ObjectField } from '#kernel/components/object/body.ts'
import type { ExpressionSite } from '#kernel/components/expression-slot.ts'
import { renameInExpression, type ExprRename } from '#kernel/expr/index.ts'
import { includesGeneration } from '../ports/identities.ts'
import type { OrgReader } from '../ports/org-store.ts'
import type { EvaluationDeps } from './deps.ts'

type Computed = Pick<ObjectField, 'formula' | 'rollup'>

export interface FormulaComparison {
  /** Key of the object. */
  object: string
  /** Key of the field. */
  field: string
  before: Computed
  after: Computed
}

export interface FormulaGenerations {
  before: number
  after: number
  /** What the earlier formula names differently today. */
  renames: readonly ExprRename[]
}

/** A long history of an object is not read for a sentence. */
const mostVersions = 50

/** One sentence if the two differ. */
export function formulaReasons(
  deps: Pick<EvaluationDeps, 'store'>,
  comparison: FormulaComparison,
  generations: FormulaGenerations,
): string[] {
  const { object, field, before, after } = comparison
  if (definition(before) === definition(after)) return []
  return deps.store.read((reader) => {
    if (definition(inPresentNames(reader, comparison, generations)) === definition(after)) return []
    const noun = after.rollup === undefined ? 'formula' : 'roll-up'
    const change = lastChange(reader, { object, field, after }, generations.after)
    return [`The ${noun} of ${field} changed${change}.`]
  })
}

/** The earlier formula as it would be written today: a rename rewrites formulas and does not change them. */
function inPresentNames(
  { generations, identities }: Pick<OrgReader, 'generations' | 'identities'>,
  { object, field, before: { formula, rollup } }: FormulaComparison,
  { before, after, renames }: FormulaGenerations,
): Computed {
  const view = generations.view(before)
  const renamed = (source: string, site: ExpressionSite): string =>
    renameInExpression(source, site, view, renames)
  const of = { object: keyAt(identities, object, { at: after, then: before }), field }
  const child =
    rollup === undefined ? undefined : keyAt(identities, rollup.child, { at: before, then: after })
  return {
    formula: formula && {
      ...formula,
      expression: renamed(formula.expression, { kind: 'stored_formula', ...of }),
    },
    rollup: rollup && {
      ...rollup,
      child: child!,
      filter: rollup.filter && renamed(rollup.filter, { kind: 'rollup_filter', ...of, child: rollup.child }),
    },
  }
}

/** The key in one generation of the object that has a key in another. */
function keyAt(
  identities: OrgReader['identities'],
  key: string,
  { at, then }: { at: number; then: number },
): string {
  const identity = identities.at(at, `object/${key}`)
  const period = identity && identities.keyPeriods(identity).find((each) => includesGeneration(each, then))
  return period === undefined ? key : splitId(period.id).key
}

/** Empty if it is not known. */
function lastChange(
  { components, generations }: Pick<OrgReader, 'components' | 'generations'>,
  { object, field, after }: Pick<FormulaComparison, 'object' | 'field' | 'after'>,
  generation: number,
): string {
  const versions = components.versions(`object/${object}`).filter(({ from }) => from <= generation)
  for (const [at, version] of versions.slice(0, mostVersions).entries()) {
    const earlier = versions[at + 1]
    if (earlier === undefined) break
    // A purged generation keeps no fields.
    if (generations.get(earlier.from) === undefined) break
    const found = generations.view(earlier.from).get('object', object)?.body.fields
    const then = found?.find(({ key, aliases }) => key === field || aliases?.includes(field))
    if (then === undefined) break
    if (definition(then) !== definition(after))
      return `: ${object} by ${version.actor} in generation ${version.from}`
  }
  return ''
}

const definition = ({ formula, rollup }: Computed): string =>
  JSON.stringify([formula?.expression ?? null, rollup ?? null])
