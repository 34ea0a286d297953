// Enters a phase of a save.
import { shownPlaces } from './authorise.ts'
import { tooSlow } from './record-errors.ts'
import type { Phase, Save } from './save.ts'

/**
 * Returns a promise only if the phase waits for something.
 * @throws AlmanacError `limit.save_deadline`, and those of the phase
 */
export function runPhase(save: Save, phase: Phase): Promise<void> | void {
  const { context, number } = save
  if (context.isLate()) throw tooSlow(shownPlaces(context, [placeOf(save)])[0]!)
  context.trace?.({ phase: phase.name, record: placeOf(save), save: number })
  return phase.run(save)
}

const placeOf = ({ object, id }: Save): string => `${object}/${id}`
