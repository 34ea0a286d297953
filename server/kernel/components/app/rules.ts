// Rules for apps.
import type { Finding } from '../../errors/finding.ts'
import type { ComponentOf } from '../body-types.ts'
import type { Reference, Rule } from '../define.ts'
import { duplicateItemFindings } from '../duplicates.ts'
import { edge, placementEdges } from '../edges.ts'
import type { Section } from '../placement.ts'
import { placementFindings } from '../placement-rules.ts'

type Steps = readonly (string | number)[]

/** Returns every list of sections of an app, with its path below the body. */
function sectionLists({ body }: ComponentOf<'app'>): { steps: Steps; sections: readonly Section[] }[] {
  return [
    ...body.pages.map(({ sections }, at) => ({ steps: ['pages', at, 'sections'], sections })),
    ...body.flows.flatMap((flow, at) =>
      flow.steps.map(({ sections }, index) => ({
        steps: ['flows', at, 'steps', index, 'sections'],
        sections,
      })),
    ),
  ]
}

export function appReferences(app: ComponentOf<'app'>): Reference[] {
  return [
    ...app.body.objects.flatMap((object, at) => edge('object', object, ['objects', at])),
    ...sectionLists(app).flatMap(({ steps, sections }) => placementEdges(sections, undefined, steps)),
  ]
}

const placements: Rule<'app'> = (app): Finding[] =>
  sectionLists(app).flatMap(({ steps, sections }) =>
    placementFindings(app, sections, ['body', ...steps], undefined),
  )

const uniqueKeys: Rule<'app'> = (app) => [
  ...duplicateItemFindings(app, ['body', 'pages'], app.body.pages, 'key'),
  ...duplicateItemFindings(app, ['body', 'flows'], app.body.flows, 'key'),
  ...app.body.flows.flatMap((flow, at) =>
    duplicateItemFindings(app, ['body', 'flows', at, 'steps'], flow.steps, 'key'),
  ),
]

export const appRules: readonly Rule<'app'>[] = [uniqueKeys, placements]
