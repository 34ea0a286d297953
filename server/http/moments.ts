// Requests that are handled in one go share what each of them would read first: all of them have arrived before it is read.
import type { Org } from '../pipeline/index.ts'
import type { Records } from '../records/index.ts'

export interface Moments {
  /** Runs work that does not wait; what the requests that it handles do later belongs to no moment. */
  run(work: () => void): void
  /** See `Org.refresh`; reads the position once in a moment. */
  refresh(): number | Promise<number>
}

export function createMoments(org: Pick<Org, 'refresh'>, records: Pick<Records, 'inMoment'>): Moments {
  let isRunning = false
  let position: number | null = null
  return {
    run: (work) => {
      isRunning = true
      position = null
      try {
        records.inMoment(work)
      } finally {
        isRunning = false
      }
    },
    refresh: () => {
      if (!isRunning) return org.refresh()
      if (position !== null) return position
      const refreshed = org.refresh()
      if (typeof refreshed === 'number') position = refreshed
      return refreshed
    },
  }
}
