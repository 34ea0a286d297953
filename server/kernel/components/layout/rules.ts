// What a layout must keep (specification 2.9).
import type { ComponentOf } from '../body-types.ts'
import type { Reference, Rule } from '../define.ts'
import { edge, placementEdges } from '../edges.ts'
import { membersExist } from '../members.ts'
import { placementFindings } from '../placement-rules.ts'

export function layoutReferences({ body }: ComponentOf<'layout'>): Reference[] {
  return [
    ...edge('object', body.object, ['object']),
    ...placementEdges(body.sections, body.object, ['sections']),
  ]
}

const placements: Rule<'layout'> = (layout) =>
  placementFindings(layout, layout.body.sections, ['body', 'sections'], layout.body.object)

export const layoutRules: readonly Rule<'layout'>[] = [placements, membersExist(layoutReferences)]
