// The events of deliveries for the execution trace: keys, ids, codes and times, and nothing of what was delivered.
import type { Delivery } from '../ports/deliveries.ts'
import type { OutboxProblem } from '../ports/outbox.ts'
import type { NewTraceEvent, TraceEventOf } from '../ports/trace.ts'

type Of<K extends NewTraceEvent['kind']> = TraceEventOf<K>

const envelope = ({ correlationId, endpointKey, result }: Delivery, at: string) => ({
  ...{ at, correlationId, subject: `webhook_endpoint/${endpointKey}` },
  ...{ record: result?.record ?? null, actor: null, durationMs: null },
})

export function attemptEvent(
  delivery: Delivery,
  { n, code, at, nextAt }: { n: number; code: string; at: string; nextAt: string | null },
): Of<'receipt_attempt'> {
  return {
    ...{ kind: 'receipt_attempt', ...envelope(delivery, at), isFailed: true },
    facts: { delivery: delivery.id, n, code, nextAt },
  }
}

export function deadEvent(
  delivery: Delivery,
  attempts: number,
  code: string,
  at: string,
): Of<'receipt_dead'> {
  return {
    ...{ kind: 'receipt_dead', ...envelope(delivery, at), isFailed: true },
    facts: { delivery: delivery.id, attempts, code },
  }
}

/** Null if it waits for the same reason as before. */
export function heldEvent(
  delivery: Delivery,
  { code }: OutboxProblem,
  at: string,
): Of<'receipt_held'> | null {
  if (delivery.problem?.code === code) return null
  return {
    ...{ kind: 'receipt_held', ...envelope(delivery, at), isFailed: false },
    facts: { delivery: delivery.id, code },
  }
}

export function handledEvent(
  delivery: Delivery,
  { as, by, at }: { as: 'requeued' | 'discarded'; by: string; at: string },
): Of<'receipt_handled'> {
  return {
    ...{ kind: 'receipt_handled', ...envelope(delivery, at), actor: by, isFailed: false },
    facts: { delivery: delivery.id, as },
  }
}
