// Removes events that are older than the window of the execution trace, in parts, so that nothing waits for it.
import type { Timer } from '../ports/timer.ts'

/** How long events stay. */
export const traceDays = 90
const partSize = 50
const pauseMs = 50

/** Resolves once no older event is left, or the signal is aborted. */
export async function purgeTrace(
  purge: (before: string, limit: number) => Promise<number>,
  { now, timer, signal }: { now: string; timer: Timer; signal: AbortSignal },
): Promise<void> {
  const before = new Date(Date.parse(now) - traceDays * 86_400_000).toISOString()
  while (!signal.aborted) {
    if ((await purge(before, partSize)) < partSize) return
    await timer.wait(pauseMs, { signal, isBackground: true }).catch(() => undefined)
  }
}
