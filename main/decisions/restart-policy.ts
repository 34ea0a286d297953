// Whether a server that ended is started again, and after how long.

export type Restart = { again: true; delay: number } | { again: false }

const firstDelay = 500
const longestDelay = 8_000
const tries = 5
const within = 60_000

/**
 * Decides after an unexpected end of the server.
 * @param ends times of all its unexpected ends so far, this one last, in milliseconds
 * @returns the delay in milliseconds, doubled for every end within the last minute; no restart after the fifth
 */
export function decideRestart(ends: readonly number[]): Restart {
  const last = ends.at(-1) ?? 0
  const recent = ends.filter((end) => last - end < within).length
  if (recent >= tries) return { again: false }
  return { again: true, delay: Math.min(firstDelay * 2 ** Math.max(recent - 1, 0), longestDelay) }
}
