// ADJUST: automations at before_write set fields of the record or refuse the save. What they set is computed and checked
// again, so that nothing is written that was not validated.
import { automationsOn, type AutomationProgram } from '#kernel/records/index.ts'
import { runOver } from './automation-run.ts'
import { actionValues, isTriggered, raise } from './run-automation.ts'
import { runPhase } from './run-phase.ts'
import type { Phase, Save } from './save.ts'
import { shape } from './shape.ts'
import { validate } from './validate.ts'

/** @throws AlmanacError `record.invalid` */
export const adjust: Phase = {
  name: 'adjust',
  run(save) {
    const automations = automationsOn(save.context.present.view, save.object, 'before_write')
    return automations.length === 0 ? undefined : runAll(save, automations)
  },
}

async function runAll(save: Save, automations: readonly AutomationProgram[]): Promise<void> {
  const { context, object, ids, id } = save
  let isAssigned = false
  for (const automation of automations) {
    const place = `${automation.key} ${id}`
    if (context.ran.has(place)) continue
    const run = runOver(save, automation)
    if (!isTriggered(run)) continue
    context.ran.add(place)
    let assigns = false
    for (const step of automation.actions) {
      raise(run, step)
      if (step.action.type !== 'assign') continue
      const { values } = step.action
      for (const [field, value] of actionValues(run, step, { object, values }))
        save.values.set(ids.get(field.key)!, value)
      assigns = true
    }
    // The next automation sees what this one has left.
    if (assigns) await runPhase(save, shape)
    isAssigned ||= assigns
  }
  if (isAssigned) await runPhase(save, validate)
}
