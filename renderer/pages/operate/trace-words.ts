// The events of the execution trace in words.
import type { TraceEventView, TraceKind } from '../../api/operate.ts'
import type { IconName } from '../../frame/icons.ts'

export const kindWords = {
  save: 'Save',
  ingest: 'Bulk job',
  attempt: 'Failed attempt',
  delivery: 'Delivery',
  dead: 'Dead letter',
  held: 'Held',
  handled: 'Handled by a user',
  callout: 'Callout',
  breaker: 'Circuit breaker',
  token: 'Access token',
  latency: 'Latencies',
  requests: 'Requests of a client',
  throttle: 'Throttled',
  receipt: 'Webhook delivery',
  receipt_attempt: 'Failed dispatch',
  receipt_dead: 'Dead delivery',
  receipt_held: 'Held delivery',
  receipt_handled: 'Delivery handled by a user',
  refusal: 'Refused delivery',
  refusals: 'Refused deliveries',
  lag: 'Subscription behind',
  lost: 'Lost events',
} as const satisfies Record<TraceKind, string>

export const kindIcons = {
  save: 'cube',
  ingest: 'table',
  attempt: 'error',
  delivery: 'okay',
  dead: 'error',
  held: 'hold',
  handled: 'user',
  callout: 'plug',
  breaker: 'half',
  token: 'key',
  latency: 'pulse',
  requests: 'client',
  throttle: 'filter',
  receipt: 'okay',
  receipt_attempt: 'error',
  receipt_dead: 'error',
  receipt_held: 'hold',
  receipt_handled: 'user',
  refusal: 'error',
  refusals: 'filter',
  lag: 'hold',
  lost: 'warning',
} as const satisfies Record<TraceKind, IconName>

/** What happened, in a few words. */
export function eventWords(event: TraceEventView): string {
  switch (event.kind) {
    case 'save': {
      const { operation, objects, items, ingest } = event.facts
      if (operation !== null) return `operation ${operation}`
      if (ingest !== undefined) return `save of ${items} rows of a bulk job`
      return items === 1 ? `save ${objects[0] ?? ''}` : `save of ${items} items: ${objects.join(', ')}`
    }
    case 'ingest': {
      const { state, operation, rows, failed } = event.facts
      if (state === 'queued') return `bulk job closed, to ${operation} records`
      return `bulk job ${state}: ${rows} rows${failed > 0 ? `, ${failed} failed` : ''}`
    }
    case 'attempt':
      return `attempt ${event.facts.n}, ${event.facts.status ?? event.facts.code}`
    case 'delivery':
      return `delivered, ${event.facts.status ?? ''}${event.facts.attempts > 1 ? `, attempt ${event.facts.attempts}` : ''}`
    case 'dead':
      return `dead: ${event.facts.code}`
    case 'held':
      return `held: ${event.facts.code}`
    case 'handled':
      return `${event.facts.as} by a user`
    case 'callout':
      return `callout, ${event.facts.code ?? event.facts.status ?? ''}`
    case 'breaker':
      return `breaker ${event.facts.from} → ${event.facts.to}`.replaceAll('_', '-')
    case 'token':
      return `access token ${event.facts.result}`
    case 'latency': {
      const { delivered, failed, unknown } = event.facts
      return `${delivered + failed + unknown} attempts, ${failed + unknown} failed`
    }
    case 'requests':
      return `${event.facts.requests} requests, ${event.facts.throttled} throttled`
    case 'lag':
      return `${event.facts.owner}/${event.facts.subscription} is ${event.facts.lag} events behind`
    case 'throttle':
      return event.facts.code
    case 'receipt':
      return `dispatched${event.facts.attempts > 1 ? `, attempt ${event.facts.attempts}` : ''}`
    case 'receipt_attempt':
      return `dispatch ${event.facts.n}, ${event.facts.code}`
    case 'receipt_dead':
      return `dead: ${event.facts.code}`
    case 'receipt_held':
      return `held: ${event.facts.code}`
    case 'receipt_handled':
      return `${event.facts.as} by a user`
    case 'refusal': {
      const failed = event.facts.steps.find(({ isPassed }) => !isPassed)
      return failed === undefined ? event.facts.code : `refused: ${failed.detail}`
    }
    case 'refusals':
      return `${event.facts.refused} deliveries refused`
    case 'lost':
      return `${event.facts.events} events were not stored`
  }
}

/** The call that an event is about, because a save can leave several: `bank.create_payment`; empty for other events. */
export function callWords({ subject, facts }: TraceEventView): string {
  if (!('action' in facts) || facts.action === null || subject === null) return ''
  return `${subject.slice(subject.indexOf('/') + 1)}.${facts.action}`
}

/** Everything that is known of an event, as rows. */
export function factRows(event: TraceEventView): [name: string, value: string][] {
  const { at, subject, record, actor, durationMs, facts } = event
  const all: Record<string, unknown> = { at, subject, record, actor, durationMs, ...facts }
  return Object.entries(all).flatMap(([name, value]) =>
    value === null || value === undefined || name === 'attempts' || Array.isArray(value)
      ? Array.isArray(value) && value.every((each) => typeof each !== 'object')
        ? [[wordsOf(name), value.join(', ')] as [string, string]]
        : typeof value === 'number'
          ? [[wordsOf(name), String(value)] as [string, string]]
          : []
      : [[wordsOf(name), String(value)] as [string, string]],
  )
}

/** `enqueuedAt` as `enqueued at`. */
const wordsOf = (name: string): string =>
  name.replaceAll(/([A-Z])/g, (letter) => ` ${letter.toLowerCase()}`).replace(/ ms$/, ' (ms)')
