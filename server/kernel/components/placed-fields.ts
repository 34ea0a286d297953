// Checks placed fields against the object of the page (docs/reference/lookup-field.md).
import type { Finding } from '../errors/finding.ts'
import type { ComponentType } from './component.ts'
import type { ObjectField } from './object/body.ts'
import { objectFieldOf } from './object/field-named.ts'
import type { PlacedItem, PlacedOn, Section } from './placement.ts'
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
  if (on.kind === 'page') return []
  return sections.flatMap(({ items }, at) =>
    items.flatMap((item, index) =>
      problemsOf(item, on.object, view, on.kind === 'draft').map(([place, message]) =>
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

function problemsOf(item: PlacedItem, object: string, view: ComponentView, isDraft: boolean): Problem[] {
  if (item.type === 'field') return isDraft ? draftFieldProblems(item.key, object, view) : []
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
  if (found === undefined || found.references === object) return []
  const what = found.type === 'reference' ? `refers to ${found.references}` : `is of type ${found.type}`
  return [[['inputs', 'via'], `${found.key} of ${listed} ${what}. Name a reference to ${object}.`]]
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

export const isComputed = ({ formula, rollup }: ObjectField): boolean =>
  formula !== undefined || rollup !== undefined
