// Counts of callouts by named credential: how attempts ended and how long they took, and what was not sent. For metrics
// since the start, and for the execution trace since the last report.
import { latencyBounds } from '#kernel/trace/index.ts'
import type { AttemptOutcome } from './retry.ts'

export interface Latencies {
  /** Attempts in each class of `latencyBounds`, and those above. */
  counts: number[]
  sumMs: number
}

export interface CredentialCounts {
  outcomes: Record<AttemptOutcome, Latencies>
  /** Calls that were not sent, by the code of their error. */
  withheld: Map<string, number>
}

export interface CalloutCounts {
  noteAttempt(credential: string, outcome: AttemptOutcome, latencyMs: number): void
  noteWithheld(credential: string, code: string): void
  /** By the key of the named credential. */
  read(): ReadonlyMap<string, CredentialCounts>
}

/** Further credentials are counted together: each name is a series of its own in a monitoring system. */
const maxCredentials = 200
export const otherCredentials = 'other'
const maxCodes = 20

const noLatencies = (): Latencies => ({ counts: Array<number>(latencyBounds.length + 1).fill(0), sumMs: 0 })
const noCounts = (): CredentialCounts => ({
  outcomes: { delivered: noLatencies(), failed: noLatencies(), unknown: noLatencies() },
  withheld: new Map(),
})

export function createCalloutCounts(): CalloutCounts {
  const all = new Map<string, CredentialCounts>()
  const countsOf = (credential: string): CredentialCounts => {
    const key = all.has(credential) || all.size < maxCredentials ? credential : otherCredentials
    let counts = all.get(key)
    if (counts === undefined) all.set(key, (counts = noCounts()))
    return counts
  }
  return {
    noteAttempt: (credential, outcome, latencyMs) => {
      const latencies = countsOf(credential).outcomes[outcome]
      latencies.counts[classOf(latencyMs)]! += 1
      latencies.sumMs += latencyMs
    },
    noteWithheld: (credential, code) => {
      const { withheld } = countsOf(credential)
      const known = withheld.has(code) || withheld.size < maxCodes ? code : 'other'
      withheld.set(known, (withheld.get(known) ?? 0) + 1)
    },
    read: () => all,
  }
}

function classOf(latencyMs: number): number {
  const index = latencyBounds.findIndex((bound) => latencyMs <= bound)
  return index < 0 ? latencyBounds.length : index
}
