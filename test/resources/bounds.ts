// What one request may cost all other callers, and what exceeds a bound. The figures are those of this process alone:
// - `work` is processor time of the readers' thread, at the speed of the machine where the bound was set (see
//   machine-speed.ts), so that neither a busy nor a slow machine adds to it;
// - `slept` is what a turn took beyond that, such as waiting for a lock; a busy machine adds to it, so its bound is
//   wide;
// - `grown` is the largest growth of the process's memory, with the garbage of earlier requests collected.
// What exceeds a bound is measured again after a garbage collection, and the lowest value counts.
import type { Cost } from './measured-server.ts'

/** Milliseconds of processor time in one turn of the readers' thread. */
export const mostWork = 50
/** Milliseconds of one turn beyond its processor time. */
const mostSlept = 3000
/** Megabytes. */
const mostGrown = 300

export const attempts = 5

/** Returns the bounds that a request exceeds, in words. */
export function breaches({ work, slept, grown, status, code }: Cost): string[] {
  return [
    ...(work > mostWork ? [`held the readers for ${work.toFixed(0)} ms of work`] : []),
    ...(slept > mostSlept ? [`held the readers asleep for ${slept.toFixed(0)} ms`] : []),
    ...(grown > mostGrown ? [`grew the process by ${grown.toFixed(0)} MB`] : []),
    ...(status === 0 || status === 500 ? [`was not answered: ${status} ${code}`] : []),
  ]
}

/** How close a request is to its bounds, to compare two measurements of it. */
export function burden({ work, slept, grown }: Cost): number {
  return Math.max(work / mostWork, slept / mostSlept, grown / mostGrown)
}
