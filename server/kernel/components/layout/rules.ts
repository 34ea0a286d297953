// Rules for layouts (docs/reference/lookup-field.md).
import type { ComponentOf } from '../body-types.ts'
import type { Reference, Rule } from '../define.ts'
import { edge, placementEdges } from '../edges.ts'
import { membersExist, fieldPathsResolve } from '../members.ts'
import { placedFieldFindings, shownPaths } from '../placed-fields.ts'
import { placementFindings } from '../placement-rules.ts'
import type { ComponentView } from '../view.ts'

export function layoutReferences({ body }: ComponentOf<'layout'>, view?: ComponentView): Reference[] {
  return [
    ...edge('object', body.object, ['object']),
    ...placementEdges(body.sections, body.object, ['sections'], view),
  ]
}

const placements: Rule<'layout'> = (layout, { view }) => {
  const { object, sections } = layout.body
  const steps = ['body', 'sections']
  return [
    ...placementFindings(layout, sections, steps, { kind: 'record', object }),
    ...placedFieldFindings(layout, sections, steps, { kind: 'record', object }, view),
  ]
}

const fieldPathsExist = fieldPathsResolve<'layout'>(({ body: { object, sections } }, view) => [
  ...sections.flatMap(({ items }, at) =>
    items.flatMap(({ type, key }, index) =>
      type === 'field' ? [{ object, path: key, steps: ['body', 'sections', at, 'items', index, 'key'] }] : [],
    ),
  ),
  ...shownPaths(sections, object, ['body', 'sections'], view),
])

export const layoutRules: readonly Rule<'layout'>[] = [
  placements,
  membersExist(layoutReferences),
  fieldPathsExist,
]
