// The compiled expressions of automations, by object and phase, and of those that are called, by key.
import type { AutomationAction, AutomationPhase } from '../components/automation/body.ts'
import type { ComponentOf } from '../components/body-types.ts'
import { expressionSlots } from '../components/expression-slots.ts'
import { pointer } from '../components/pointer.ts'
import type { Param } from '../components/expression-slot.ts'
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

/** An invocable automation. */
export interface OperationProgram extends AutomationProgram {
  readonly label: string
  readonly params: readonly Param[]
  readonly returns: readonly { readonly name: string; readonly program: FieldProgram }[]
  /** Whether it reads a dated set, so that a call passes the as-of date. */
  readonly isDated: boolean
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

const operations = new WeakMap<ComponentView, Map<string, OperationProgram>>()

/** Null if no invocable automation has this key. */
export function operationProgram(view: ComponentView, key: string): OperationProgram | null {
  let byKey = operations.get(view)
  if (byKey === undefined) operations.set(view, (byKey = new Map()))
  const known = byKey.get(key)
  if (known !== undefined) return known
  const automation = view.get('automation', key)
  // A key that does not exist is not kept: callers can send any number of them.
  if (automation?.body.phase !== 'invocable') return null
  const operation = operationOf(automation, view)
  byKey.set(key, operation)
  return operation
}

function operationOf(automation: ComponentOf<'automation'>, view: ComponentView): OperationProgram {
  const { at, ...program } = programOf(automation, view)
  const { params, returns = {} } = automation.body
  return {
    ...program,
    ...{ label: automation.label, params },
    returns: Object.keys(returns)
      .sort()
      .map((name) => ({ name, program: at(pointer('body', 'returns', name))! })),
    isDated: program.programs.some((each) => each.program.dated),
  }
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

function programOf(
  automation: ComponentOf<'automation'>,
  view: ComponentView,
): AutomationProgram & { at(path: string): FieldProgram | null } {
  const byPath = new Map(
    expressionSlots(automation).map(({ path, source, site, expects }) => [
      path,
      compileFieldProgram(`automation ${automation.key}${path}`, source, site, expects, view),
    ]),
  )
  const at = (path: string): FieldProgram | null => byPath.get(path) ?? null
  return {
    ...{ key: automation.key, when: at('/body/when'), at },
    actions: automation.body.actions.map((action, index) => ({
      action,
      program: (...path) => at(pointer('body', 'actions', index, ...path)),
    })),
    programs: [...byPath.values()],
  }
}
