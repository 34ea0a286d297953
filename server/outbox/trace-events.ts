// The events of calls in the outbox for the execution trace: keys, ids, codes and times, and nothing of what is sent.
import type { OutboxAttempt, OutboxProblem, OutboxRow } from '../ports/outbox.ts'
import type { NewTraceEvent, TraceEventOf } from '../ports/trace.ts'

type Of<K extends NewTraceEvent['kind']> = TraceEventOf<K>

const callOf = ({ id, effect }: OutboxRow) => {
  const { method, operation } = effect.body as { method?: string; operation?: string }
  return {
    ...{ call: id, automation: effect.automation, action: effect.action, generation: effect.generation },
    ...{ method: method ?? null, operation: operation ?? null, enqueuedAt: effect.at },
  }
}

const envelope = ({ correlationId, credential, effect }: OutboxRow, at: string) => ({
  ...{ at, correlationId, subject: `named_credential/${credential}` },
  ...{ record: effect.record || null, actor: effect.actor },
})

/** Attempts that have ended since the row was read, and failed. */
export function attemptEvents(
  row: OutboxRow,
  attempts: readonly OutboxAttempt[],
  nextAt: string | null,
): NewTraceEvent[] {
  const isKnown = ({ n }: OutboxAttempt): boolean =>
    row.attempts.some((each) => each.n === n && hasEnded(each))
  return attempts
    .filter((attempt) => hasEnded(attempt) && attempt.error !== null && !isKnown(attempt))
    .map((attempt, index, all): Of<'attempt'> => {
      const { n, at, endpoint, status, latencyMs, error } = attempt
      const isLast = index === all.length - 1
      return {
        ...{ kind: 'attempt', ...envelope(row, at), isFailed: true, durationMs: latencyMs },
        facts: { ...callOf(row), endpoint, status, n, code: error!.code, nextAt: isLast ? nextAt : null },
      }
    })
}

const hasEnded = ({ latencyMs, error }: OutboxAttempt): boolean => latencyMs !== null || error !== null

/** @param attempts the last one succeeded */
export function deliveryEvent(row: OutboxRow, attempts: readonly OutboxAttempt[]): Of<'delivery'> {
  const { at, endpoint, status, latencyMs } = attempts.at(-1)!
  return {
    ...{ kind: 'delivery', ...envelope(row, at), isFailed: false, durationMs: latencyMs },
    facts: { ...callOf(row), endpoint, status, attempts: attempts.length },
  }
}

export function deadEvent(row: OutboxRow, attempts: number, { code }: OutboxProblem, at: string): Of<'dead'> {
  return {
    ...{ kind: 'dead', ...envelope(row, at), isFailed: true, durationMs: null },
    facts: { ...callOf(row), attempts, code },
  }
}

/** Null if it waits for the same reason as before: a call can be put off many times. */
export function heldEvent(
  row: OutboxRow,
  { code }: OutboxProblem,
  { at, until }: { at: string; until: string },
): Of<'held'> | null {
  if (row.problem?.code === code) return null
  return {
    ...{ kind: 'held', ...envelope(row, at), isFailed: false, durationMs: null },
    facts: { ...callOf(row), code, until },
  }
}

export function handledEvent(
  row: OutboxRow,
  { as, by, at }: { as: Of<'handled'>['facts']['as']; by: string; at: string },
): Of<'handled'> {
  return {
    ...{ kind: 'handled', ...envelope(row, at), actor: by, isFailed: false, durationMs: null },
    facts: { call: row.id, as },
  }
}
