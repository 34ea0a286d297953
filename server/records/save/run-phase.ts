// Enters a phase of a save.
import { shownPlaces } from './authorise.ts'
import { tooSlow } from './record-errors.ts'
import type { Phase, Save } from './save.ts'

/** @throws AlmanacError `limit.save_deadline`, and those of the phase */
export async function runPhase(save: Save, phase: Phase): Promise<void> {
  const record = `${save.object}/${save.id}`
  if (save.context.isLate()) throw tooSlow(shownPlaces(save.context, [record])[0]!)
  save.context.trace({ phase: phase.name, record, save: save.number })
  await phase.run(save)
}
