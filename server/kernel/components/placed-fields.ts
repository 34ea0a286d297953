// Checks placed fields against the object of the page (docs/reference/lookup-field.md).
import type { Finding } from '../errors/finding.ts'
import type { ComponentType } from './component.ts'
import type { ObjectField } from './object/body.ts'
import { lookupTarget, namesIn } from './lookup-lists.ts'
import type { FieldPath } from './members.ts'
import { objectFieldOf } from './object/field-named.ts'
import { isComputed } from './object/is-computed.ts'
import type { PlacedItem, PlacedOn, Section } from './placement.ts'
import { filterRefusal } from './object/source-limits.ts'
import { pointer } from './pointer.ts'
import { errorFinding } from './report.ts'
import type { ComponentView } from './view.ts'

type Steps = readonly (string | number)[]
type Problem = [at: Steps, message: string]

/** Returns findings on fields that exist but cannot be placed there; `membersExist` reports the others. */
export function placedFieldFindings(
  component: { type: ComponentType; key: string },
  sections: readonly Section[],
  steps: Steps,
  on: PlacedOn,
  view: ComponentView,
): Finding[] {
  return sections.flatMap(({ items }, at) =>
    items.flatMap((item, index) =>
      problemsOf(item, on, view).map(([place, message]) =>
        errorFinding(
          component,
          pointer(...steps, at, 'items', index, ...place),
          item.type === 'field' ? 'placement.element' : 'placement.input',
          message,
        ),
      ),
    ),
  )
}

function problemsOf(item: PlacedItem, on: PlacedOn, view: ComponentView): Problem[] {
  const lists = item.type === 'component' && item.key === 'lookup_field' ? listProblems(item, on, view) : []
  return on.kind === 'page' ? lists : [...lists, ...recordProblems(item, on, view)]
}

type OnRecord = Exclude<PlacedOn, { kind: 'page' }>

function recordProblems(item: PlacedItem, { kind, object }: OnRecord, view: ComponentView): Problem[] {
  if (item.type === 'field') return kind === 'draft' ? draftFieldProblems(item.key, object, view) : []
  const { field, listView, via } = item.inputs
  if (item.key === 'lookup_field' && typeof field === 'string') {
    const found = fieldNamed(view, object, field)
    return found === undefined || found.type === 'reference'
      ? []
      : [[['inputs', 'field'], `${found.key} of ${object} is of type ${found.type}. Name a reference.`]]
  }
  if (item.key !== 'list_view' || typeof listView !== 'string' || typeof via !== 'string') return []
  const listed = view.get('list_view', listView)?.body.object
  const found = listed === undefined ? undefined : fieldNamed(view, listed, via)
  const refusal = listed === undefined ? null : filterRefusal(view, listed)
  if (refusal !== null)
    return [
      [
        ['inputs', 'via'],
        `${refusal} So it cannot list the rows of one record. Remove "via", or set pushdown.filter if the service can filter.`,
      ],
    ]
  if (found === undefined || found.references === object) return []
  const what = found.type === 'reference' ? `refers to ${found.references}` : `is of type ${found.type}`
  return [[['inputs', 'via'], `${found.key} of ${listed} ${what}. Name a reference to ${object}.`]]
}

/** Only words of stored text fields are searched. */
function listProblems(item: PlacedItem, on: PlacedOn, view: ComponentView): Problem[] {
  const target = lookupTarget(item, on.kind === 'page' ? undefined : on.object, view)
  if (target === undefined) return []
  const refusal = filterRefusal(view, target)
  if (refusal !== null)
    return [
      [
        ['inputs'],
        `${refusal} So its rows cannot be searched. Place the field itself, or set pushdown.filter if the service can filter.`,
      ],
    ]
  return namesIn(item, 'matchFields').flatMap((name): Problem[] => {
    const found = fieldNamed(view, target, name.split('.')[0]!)
    const reason =
      found === undefined
        ? null
        : name.includes('.')
          ? 'follows a reference'
          : found.type !== 'text'
            ? `is of type ${found.type}`
            : found.formula?.stored === false
              ? 'is computed when it is read'
              : null
    const message = `"${name}" of ${target} ${reason}, so it cannot be searched. Name stored text fields of ${target}.`
    return reason === null ? [] : [[['inputs', 'matchFields'], message]]
  })
}

/** A draft has only what was entered. */
function draftFieldProblems(key: string, object: string, view: ComponentView): Problem[] {
  const [first = ''] = key.split('.')
  if (first !== key)
    return [
      [['key'], `"${key}" follows a reference, but the record is not saved yet. Place ${first} instead.`],
    ]
  const found = fieldNamed(view, object, key)
  return found === undefined || !isComputed(found)
    ? []
    : [[['key'], `${key} is computed when the record is saved. A step of a flow can only ask for fields.`]]
}

const fieldNamed = (view: ComponentView, object: string, name: string): ObjectField | undefined => {
  const component = view.get('object', object)
  return component === undefined ? undefined : objectFieldOf(component, name)
}

/** The paths of fields that placed lookup fields show of the records that they find. */
export function shownPaths(
  sections: readonly Section[],
  object: string | undefined,
  steps: Steps,
  view: ComponentView,
): FieldPath[] {
  return sections.flatMap(({ items }, at) =>
    items.flatMap((item, index) => {
      const target =
        item.type === 'component' && item.key === 'lookup_field'
          ? lookupTarget(item, object, view)
          : undefined
      if (target === undefined) return []
      const place = [...steps, at, 'items', index, 'inputs', 'displayFields']
      return namesIn(item, 'displayFields').map((path) => ({ object: target, path, steps: place }))
    }),
  )
}
