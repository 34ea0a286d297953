// The latencies of callouts on the execution trace: one event for each named credential and minute with attempts.
import { latencyBounds } from '#kernel/trace/index.ts'
import { createCalloutCounts, type CalloutCounts, type CredentialCounts } from '../callouts/index.ts'
import type { NewTraceEvent } from '../ports/trace.ts'

export interface CalloutMinutes extends Pick<CalloutCounts, 'noteAttempt'> {
  /** The events of the time since the last call. */
  take(until: string): NewTraceEvent[]
}

export function createCalloutMinutes(now: () => string): CalloutMinutes {
  let counts = createCalloutCounts()
  let since: string | null = null
  return {
    noteAttempt: (credential, outcome, latencyMs) => {
      since ??= now()
      counts.noteAttempt(credential, outcome, latencyMs)
    },
    take: (until) => {
      const at = since
      if (at === null) return []
      const events = [...counts.read()].map(([credential, each]) => eventOf(credential, each, { at, until }))
      counts = createCalloutCounts()
      since = null
      return events
    },
  }
}

function eventOf(
  credential: string,
  { outcomes }: CredentialCounts,
  { at, until }: { at: string; until: string },
): NewTraceEvent {
  const all = [outcomes.delivered, outcomes.failed, outcomes.unknown]
  const sum = (counts: readonly number[]): number => counts.reduce((total, count) => total + count, 0)
  const [delivered, failed, unknown] = all.map(({ counts }) => sum(counts)) as [number, number, number]
  return {
    ...{ at, kind: 'latency', correlationId: null, subject: `named_credential/${credential}`, record: null },
    ...{ actor: null, isFailed: failed + unknown > 0, durationMs: null },
    facts: {
      ...{ until, sumMs: sum(all.map(({ sumMs }) => sumMs)), delivered, failed, unknown },
      counts: Array.from({ length: latencyBounds.length + 1 }, (_, at) =>
        sum(all.map(({ counts }) => counts[at]!)),
      ),
    },
  }
}
