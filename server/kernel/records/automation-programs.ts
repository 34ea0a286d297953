// The compiled expressions of automations, by object and phase.
import type { AutomationAction, AutomationPhase } from '../components/automation/body.ts'
import type { ComponentOf } from '../components/body-types.ts'
import { expressionSlots } from '../components/expression-slots.ts'
import { pointer } from '../components/pointer.ts'
import type { ComponentView } from '../components/view.ts'
import { compileFieldProgram, type FieldProgram } from './object-programs.ts'

export interface AutomationProgram {
  readonly key: string
  /** Null if it always runs. */
  readonly when: FieldProgram | null
  readonly actions: readonly ActionProgram[]
  /** Every expression of the automation. */
  readonly programs: readonly FieldProgram[]
}

export interface ActionProgram {
  readonly action: AutomationAction
  /** The expression at a path in the action, such as `values`, `net`; null without one. */
  program(...path: readonly string[]): FieldProgram | null
}

const compiled = new WeakMap<ComponentView, Map<string, readonly AutomationProgram[]>>()

/** The automations that a save of an object triggers at a phase, in the order of their keys. */
export function automationsOn(
  view: ComponentView,
  object: string,
  phase: AutomationPhase,
): readonly AutomationProgram[] {
  let byPlace = compiled.get(view)
  if (byPlace === undefined) compiled.set(view, (byPlace = compileAll(view)))
  return byPlace.get(`${object} ${phase}`) ?? []
}

function compileAll(view: ComponentView): Map<string, readonly AutomationProgram[]> {
  const byPlace = new Map<string, AutomationProgram[]>()
  for (const automation of view.list('automation')) {
    const { object, phase } = automation.body
    if (object === undefined) continue
    const place = `${object} ${phase}`
    byPlace.set(place, [...(byPlace.get(place) ?? []), programOf(automation, view)])
  }
  return byPlace
}

function programOf(automation: ComponentOf<'automation'>, view: ComponentView): AutomationProgram {
  const byPath = new Map(
    expressionSlots(automation).map(({ path, source, site, expects }) => [
      path,
      compileFieldProgram(`automation ${automation.key}${path}`, source, site, expects, view),
    ]),
  )
  return {
    key: automation.key,
    when: byPath.get('/body/when') ?? null,
    actions: automation.body.actions.map((action, at) => ({
      action,
      program: (...path) => byPath.get(pointer('body', 'actions', at, ...path)) ?? null,
    })),
    programs: [...byPath.values()],
  }
}
