// Automations whose actions trigger each other. Conditions can end such a cycle, and a save ends it at its depth limit,
// so it is only a warning.
import type { Finding } from '../errors/finding.ts'
import { chainText, cyclesOf } from '../expr/index.ts'
import type { ComponentView } from '../components/view.ts'

/** Returns one finding per cycle, on the first automation of the cycle in the order of keys. */
export function automationCycles(view: ComponentView): Finding[] {
  const automations = [...view.list('automation')].filter(
    ({ body }) => body.phase === 'after_write' || body.phase === 'post_commit',
  )
  const triggered = Map.groupBy(automations, ({ body }) => body.object)
  const actions = new Map<string, { index: number; to: string }[]>()
  for (const { key, body } of automations) {
    const steps = body.actions.flatMap((action, index) =>
      action.type === 'create' || action.type === 'update'
        ? (triggered.get(action.object) ?? []).map((next) => ({ index, to: next.key }))
        : [],
    )
    actions.set(key, steps)
  }
  const edges = new Map([...actions].map(([key, steps]) => [key, steps.map(({ to }) => to)]))
  return cyclesOf(edges).map((chain) => {
    const [first, second] = chain as [string, string]
    const { index } = actions.get(first)!.find(({ to }) => to === second)!
    return {
      ...{ severity: 'warning', code: 'automation.cycle', component: `automation/${first}`, related: [] },
      path: `/body/actions/${index}`,
      message: `Automations trigger each other: ${chainText(chain, 'triggers')}. A save that does not end this is refused.`,
    }
  })
}
