// How long the latest calls of each source took, in memory: for the advice to ingest its rows instead.

export interface SourceTime {
  /** How many of the latest calls were measured since the server started. */
  calls: number
  /** The time that 95 % of them did not exceed, in milliseconds; null without one. */
  p95Ms: number | null
}

export interface SourceTimes {
  add(source: string, attempts: readonly { latencyMs: number }[]): void
  of(source: string): SourceTime
}

const mostCalls = 200

export function createSourceTimes(): SourceTimes {
  const bySource = new Map<string, number[]>()
  return {
    add: (source, attempts) => {
      const times = bySource.get(source) ?? []
      bySource.set(source, times)
      times.push(attempts.reduce((sum, { latencyMs }) => sum + latencyMs, 0))
      if (times.length > mostCalls) times.shift()
    },
    of: (source) => {
      const sorted = (bySource.get(source) ?? []).toSorted((a, b) => a - b)
      const at = Math.ceil(sorted.length * 0.95) - 1
      return { calls: sorted.length, p95Ms: sorted[at] ?? null }
    },
  }
}
