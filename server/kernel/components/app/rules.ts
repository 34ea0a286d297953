// Rules for apps.
import type { Finding } from '../../errors/finding.ts'
import type { ComponentOf } from '../body-types.ts'
import type { Reference, Rule } from '../define.ts'
import { duplicateItemFindings } from '../duplicates.ts'
import { edge, placementEdges } from '../edges.ts'
import { fieldPathsResolve, membersExist } from '../members.ts'
import { isComputed } from '../object/is-computed.ts'
import { placedFieldFindings, shownPaths } from '../placed-fields.ts'
import type { PlacedOn, Section } from '../placement.ts'
import { placementFindings } from '../placement-rules.ts'
import { pointer } from '../pointer.ts'
import { writeRefusal } from '../object/source-limits.ts'
import { errorFinding, warningFinding } from '../report.ts'
import type { ComponentView } from '../view.ts'

type Flow = ComponentOf<'app'>['body']['flows'][number]
type Steps = readonly (string | number)[]

interface SectionList {
  /** Below the body. */
  steps: Steps
  on: PlacedOn
  sections: readonly Section[]
}

/** Returns every list of sections of an app. */
function sectionLists({ body }: ComponentOf<'app'>): SectionList[] {
  return [
    ...body.pages.map(({ sections }, at): SectionList => ({
      ...{ steps: ['pages', at, 'sections'], on: { kind: 'page' }, sections },
    })),
    ...body.flows.flatMap(({ object, steps }, at) =>
      steps.map(({ sections }, index): SectionList => ({
        ...{ steps: ['flows', at, 'steps', index, 'sections'], on: { kind: 'draft', object }, sections },
      })),
    ),
  ]
}

export function appReferences(app: ComponentOf<'app'>, view?: ComponentView): Reference[] {
  return [
    ...app.body.objects.flatMap((object, at) => edge('object', object, ['objects', at])),
    ...app.body.flows.flatMap(({ object }, at) => edge('object', object, ['flows', at, 'object'])),
    ...app.body.flows.flatMap((flow, at) => callReferences(flow, ['flows', at])),
    ...sectionLists(app).flatMap(({ steps, on, sections }) =>
      placementEdges(sections, on.kind === 'page' ? undefined : on.object, steps, view),
    ),
  ]
}

function callReferences({ object, steps }: Flow, place: Steps): Reference[] {
  return steps.flatMap(({ invoke }, index) => {
    if (invoke === undefined) return []
    const at = [...place, 'steps', index, 'invoke']
    const fields = (property: 'args' | 'into'): Reference[] =>
      Object.entries(invoke[property]).flatMap(([name, field]) =>
        edge('object', object, [...at, property, name], field),
      )
    return [
      ...edge('automation', invoke.operation, [...at, 'operation']),
      ...fields('args'),
      ...fields('into'),
      ...(invoke.asOf === undefined ? [] : edge('object', object, [...at, 'asOf'], invoke.asOf)),
    ]
  })
}

const placements: Rule<'app'> = (app, { view }): Finding[] =>
  sectionLists(app).flatMap(({ steps, on, sections }) => [
    ...placementFindings(app, sections, ['body', ...steps], on),
    ...placedFieldFindings(app, sections, ['body', ...steps], on, view),
  ])

const uniqueKeys: Rule<'app'> = (app) => [
  ...duplicateItemFindings(app, ['body', 'pages'], app.body.pages, 'key'),
  ...duplicateItemFindings(app, ['body', 'flows'], app.body.flows, 'key'),
  ...app.body.flows.flatMap((flow, at) =>
    duplicateItemFindings(app, ['body', 'flows', at, 'steps'], flow.steps, 'key'),
  ),
]

/** Only a warning, because an automation can assign the field. */
const requiredFieldsArePlaced: Rule<'app'> = (app, { view }) =>
  app.body.flows.flatMap((flow, at) => {
    const placed = new Set(
      flow.steps.flatMap(({ sections, invoke }) => [
        ...Object.values(invoke?.into ?? {}),
        ...sections.flatMap(({ items }) =>
          items.flatMap(({ type, id, key, inputs }) =>
            type === 'field' ? [key] : key === 'lookup_field' ? [String(inputs.field ?? id)] : [],
          ),
        ),
      ]),
    )
    const missing = (view.get('object', flow.object)?.body.fields ?? []).filter(
      (field) =>
        field.required &&
        field.default === undefined &&
        !isComputed(field) &&
        ![field.key, ...field.aliases].some((name) => placed.has(name)),
    )
    if (missing.length === 0) return []
    const names = missing.map(({ key }) => key).join(', ')
    const message = `No step of ${flow.key} asks for ${names}, which ${flow.object} requires, so a record can be refused at the end. Place ${missing.length === 1 ? 'it' : 'them'} in a step.`
    return [warningFinding(app, pointer('body', 'flows', at, 'steps'), 'placement.required_field', message)]
  })

/** The last step of a flow adds a record. */
const flowsCanAdd: Rule<'app'> = (app, { view }) =>
  app.body.flows.flatMap(({ key, object }, at) => {
    const refusal = writeRefusal(view, object)
    if (refusal === null) return []
    const message = `${refusal} The flow ${key} could not end. Choose a different object, or set "writable" if its source has ETags.`
    return [errorFinding(app, pointer('body', 'flows', at, 'object'), 'placement.element', message)]
  })

const shownPathsExist = fieldPathsResolve<'app'>((app, view) =>
  sectionLists(app).flatMap(({ steps, on, sections }) =>
    shownPaths(sections, on.kind === 'page' ? undefined : on.object, ['body', ...steps], view),
  ),
)

export const appRules: readonly Rule<'app'>[] = [
  uniqueKeys,
  placements,
  membersExist(appReferences),
  shownPathsExist,
  requiredFieldsArePlaced,
  flowsCanAdd,
]
