// A press on a button below a list under review: it counts although the list is being checked at that moment.
import { watch } from 'vue'
import type { PlanAnswer } from '../api/wire.ts'

/**
 * The plan of the list that the user saw at the press, after a check that is still running, such as the one for a new
 * rationale.
 * @throws Error if the check found a different list
 */
export async function listAsSeen(
  list: () => PlanAnswer | null,
  isChecking: () => boolean,
): Promise<PlanAnswer['plan']> {
  const seen = list()?.plan.changeDigest
  await whenFalse(isChecking)
  const plan = list()?.plan
  if (plan === undefined || plan.changeDigest !== seen)
    throw new Error('The list changed at that moment, so nothing was sent. Review it, then try again.')
  return plan
}

function whenFalse(condition: () => boolean): Promise<void> {
  if (!condition()) return Promise.resolve()
  return new Promise((resolve) => {
    const stop = watch(
      condition,
      (holds) => {
        if (holds) return
        stop()
        resolve()
      },
      { flush: 'sync' },
    )
  })
}
