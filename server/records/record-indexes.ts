// By which fields the records of an object are found: those that queries, sharing rules, list views and the search name.
import { namesIn } from '#kernel/components/lookup-lists.ts'
import type { ObjectField } from '#kernel/components/object/body.ts'
import type { Section } from '#kernel/components/placement.ts'
import type { ComponentView } from '#kernel/components/view.ts'
import { AlmanacError } from '#kernel/errors/almanac-error.ts'
import type { FilterPlan } from '#kernel/expr/index.ts'
import { filterPlan, objectPrograms, rowPrograms } from '#kernel/records/index.ts'

export interface RecordIndexes {
  /** Fields by which records are found or ordered, by key. */
  indexed: ReadonlySet<string>
  /** Text fields whose words the search finds, by key. */
  searched: ReadonlySet<string>
}

export function recordIndexes(view: ComponentView, object: string): RecordIndexes {
  const { body } = objectPrograms(view, object)!
  const stored = body.fields.filter(({ formula }) => formula?.stored !== false)
  const name = nameFieldOf(view, object)
  const wanted = new Set([...filteredFields(view, object), ...(name === null ? [] : [name])])
  const { ownerField } = body.sharing
  if (ownerField !== undefined) wanted.add(ownerField)
  // Few values of a boolean differ, so an index of it would help little.
  const isIndexed = ({ key, type, unique }: ObjectField): boolean =>
    unique || type === 'reference' || (wanted.has(key) && type !== 'boolean')
  const matched = matchFields(view)
  const isSearched = ({ key, type, unique }: ObjectField): boolean =>
    type === 'text' && (key === name || unique || matched.has(key))
  const keysOf = (isWanted: (field: ObjectField) => boolean): Set<string> =>
    new Set(stored.filter(isWanted).map(({ key }) => key))
  return { indexed: keysOf(isIndexed), searched: keysOf(isSearched) }
}

/** The field that names the records of an object: the declared one, or its first text field; null without one. */
export function nameFieldOf(view: ComponentView, object: string): string | null {
  const { body } = rowPrograms(view, object)!
  const isNaming = ({ type, formula }: ObjectField): boolean => type === 'text' && formula?.stored !== false
  const declared = body.fields.find(({ key }) => key === body.nameField)
  if (declared !== undefined) return isNaming(declared) ? declared.key : null
  return body.fields.find(isNaming)?.key ?? null
}

/** Fields of the object in sharing rules, and in the filters and first orders of list views. */
function filteredFields(view: ComponentView, object: string): string[] {
  const { body } = objectPrograms(view, object)!
  const rules = body.sharing.rules.flatMap(({ when }) => planOf(when, { kind: 'sharing_rule', object }, view))
  const lists = [...view.list('list_view')].filter((list) => list.body.object === object)
  const filters = lists.flatMap(({ body: { filter } }) =>
    filter === undefined ? [] : planOf(filter, { kind: 'list_filter', object }, view),
  )
  const own = [...rules, ...filters].flatMap(({ fields }) =>
    fields.flatMap(({ steps }) => (steps.length === 1 ? [steps[0]!.field] : [])),
  )
  return [...own, ...lists.flatMap(({ body: { orderBy } }) => orderBy.slice(0, 1).map(({ field }) => field))]
}

/** None if the database cannot apply the filter, which an org of an earlier version can contain: no query uses it. */
function planOf(...filter: Parameters<typeof filterPlan>): FilterPlan[] {
  try {
    return [filterPlan(...filter)]
  } catch (error) {
    if (error instanceof AlmanacError) return []
    throw error
  }
}

const matched = new WeakMap<ComponentView, ReadonlySet<string>>()

/** The fields that placed lookup fields match, of any object: a placement does not name the object that it searches. */
function matchFields(view: ComponentView): ReadonlySet<string> {
  let found = matched.get(view)
  if (found === undefined) {
    const sections: Section[] = [
      ...[...view.list('layout')].flatMap(({ body }) => body.sections),
      ...[...view.list('app')].flatMap(({ body: { pages, flows } }) => [
        ...pages.flatMap((page) => page.sections),
        ...flows.flatMap(({ steps }) => steps.flatMap((step) => step.sections)),
      ]),
    ]
    const names = sections.flatMap(({ items }) => items.flatMap((item) => namesIn(item, 'matchFields')))
    matched.set(view, (found = new Set(names)))
  }
  return found
}
