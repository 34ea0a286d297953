// Names the deploy that gave a field the formula or roll-up that it has now.
import type { ObjectField } from '#kernel/components/object/body.ts'
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

/** A long history of an object is not read for a sentence. */
const mostVersions = 50

/** One sentence if the two differ. */
export function formulaReasons(
  deps: Pick<EvaluationDeps, 'store'>,
  { object, field, before, after }: FormulaComparison,
  generation: number,
): string[] {
  if (definition(before) === definition(after)) return []
  const noun = after.rollup === undefined ? 'formula' : 'roll-up'
  const change = deps.store.read((reader) => lastChange(reader, { object, field, after }, generation))
  return [`The ${noun} of ${field} changed${change}.`]
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
