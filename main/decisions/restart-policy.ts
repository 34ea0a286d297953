// Whether a server that ended is started again, and after how long.

export type RestartDecision = { again: true; delay: number } | { again: false }

const initialDelayMs = 500
const maxDelayMs = 8_000
const maxRestarts = 5
const restartWindowMs = 60_000

/**
 * Decides after an unexpected end of the server.
 * @param ends times of all its unexpected ends so far, this one last, in milliseconds
 * @returns the delay in milliseconds, doubled for every end within the last minute; no restart after the fifth
 */
export function decideRestart(ends: readonly number[]): RestartDecision {
  const last = ends.at(-1) ?? 0
  const recent = ends.filter((end) => last - end < restartWindowMs).length
  if (recent >= maxRestarts) return { again: false }
  return { again: true, delay: Math.min(initialDelayMs * 2 ** Math.max(recent - 1, 0), maxDelayMs) }
}
