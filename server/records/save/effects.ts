// EFFECTS: automations at after_write create and update other records, leave events and calls for after the commit, or
// refuse the save. Those at post_commit are left for after the commit.
import { automationsOn, type ActionProgram, type AutomationProgram } from '#kernel/records/index.ts'
import { runOver, type AutomationRun, type SaveNext } from './automation-run.ts'
import { callOf, effectOf, eventOf } from './effect-row.ts'
import { loadRelated } from './related-records.ts'
import { actionError, actionValues, evaluate, isTriggered, raise } from './run-automation.ts'
import type { Phase, Save } from './save.ts'

/** @throws AlmanacError of the saves that follow, and `record.invalid` */
export const effectsPhase = (saveNext: SaveNext): Phase => ({
  name: 'effects',
  run(save) {
    const { view } = save.context.present
    const now = automationsOn(view, save.object, 'after_write')
    const later = automationsOn(view, save.object, 'post_commit')
    return now.length + later.length === 0 ? undefined : runAll(save, { now, later, saveNext })
  },
})

interface Triggered {
  now: readonly AutomationProgram[]
  later: readonly AutomationProgram[]
  saveNext: SaveNext
}

async function runAll(save: Save, { now, later, saveNext }: Triggered): Promise<void> {
  const { context, id } = save
  for (const automation of now) {
    const place = `${automation.key} ${id}`
    if (context.ran.has(place)) continue
    // It sees what the one before has left, also in this record.
    const current = await currentSave(save)
    if (current === null) return
    const run = runOver(current, automation)
    if (!isTriggered(run)) continue
    context.ran.add(place)
    for (const step of automation.actions) await runAction(run, step, saveNext)
  }
  await leaveAutomations(save, later)
}

async function leaveAutomations(save: Save, automations: readonly AutomationProgram[]): Promise<void> {
  const { context, objectId, id } = save
  for (const automation of automations) {
    const place = `${automation.key} ${id}`
    if (context.ran.has(place)) continue
    const current = await currentSave(save)
    if (current === null) return
    if (!isTriggered(runOver(current, automation))) continue
    context.ran.add(place)
    context.left.push({ key: automation.key, object: objectId, record: id })
  }
}

/** The save with its record as it is stored now; null if it was removed. */
async function currentSave(save: Save): Promise<Save | null> {
  const { context, objectId, object, id } = save
  const [record] = await context.tx.get(objectId, [id])
  if (record === undefined) return null
  const prior = context.found.get(id)?.values
  const records = prior === undefined ? [record.values] : [record.values, prior]
  const loaded = await loadRelated(context.tx, [{ snapshot: context.present, object, records }])
  return { ...save, values: new Map(record.values), loaded, after: record }
}

/** @throws AlmanacError of the saves that follow, and `record.invalid` */
export async function runAction(run: AutomationRun, step: ActionProgram, saveNext: SaveNext): Promise<void> {
  const { action } = step
  raise(run, step)
  if (action.type === 'publish') return run.context.tx.publish(eventOf(run, step, action))
  if (action.type === 'enqueue')
    return run.context.tx.append(effectOf(run, step, action), callOf(run, step, action))
  if (action.type !== 'create' && action.type !== 'update') return
  const values = Object.fromEntries(actionValues(run, step, action).map(([{ key }, value]) => [key, value]))
  const { object } = action
  const id = action.type === 'create' ? null : evaluate(run, step.program('record')!)
  if (action.type === 'update' && typeof id !== 'string') return
  try {
    if (action.type === 'create') await saveNext(run, { op: 'insert', object, values })
    else await saveNext(run, { op: 'update', object, id: id as string, version: null, values })
  } catch (error) {
    throw actionError(run, object, error)
  }
}
