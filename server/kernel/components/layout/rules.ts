// Rules for layouts (docs/reference/lookup-field.md).
import type { ComponentOf } from '../body-types.ts'
import type { Reference, Rule } from '../define.ts'
import { edge, placementEdges } from '../edges.ts'
import { membersExist, fieldPathsResolve } from '../members.ts'
import { placementFindings } from '../placement-rules.ts'

export function layoutReferences({ body }: ComponentOf<'layout'>): Reference[] {
  return [
    ...edge('object', body.object, ['object']),
    ...placementEdges(body.sections, body.object, ['sections']),
  ]
}

const placements: Rule<'layout'> = (layout) =>
  placementFindings(layout, layout.body.sections, ['body', 'sections'], layout.body.object)

const fieldPathsExist = fieldPathsResolve<'layout'>(({ body: { object, sections } }) =>
  sections.flatMap(({ items }, at) =>
    items.flatMap(({ type, key }, index) =>
      type === 'field' ? [{ object, path: key, steps: ['body', 'sections', at, 'items', index, 'key'] }] : [],
    ),
  ),
)

export const layoutRules: readonly Rule<'layout'>[] = [
  placements,
  membersExist(layoutReferences),
  fieldPathsExist,
]
