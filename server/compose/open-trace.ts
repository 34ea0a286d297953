// What is noted for the execution trace and for metrics while an org is open.
import type { CalloutObserver } from '../callouts/index.ts'
import { createCalloutCounts, endpointOf, type CalloutCounts } from '../callouts/index.ts'
import type { TokenObserver } from '../credentials/index.ts'
import type { NewTraceEvent } from '../ports/trace.ts'
import {
  createCalloutMinutes,
  createClientTraffic,
  createTrace,
  purgeTrace,
  type ClientTraffic,
  type Trace,
} from '../trace/index.ts'
import { systemTimer } from '../system/index.ts'
import { createRefusals, type Refusals } from '../webhooks/index.ts'
import type { OtlpCounts, SpanExporter } from '../otlp/index.ts'
import type { OpenedOrg } from './open-org.ts'
import { attemptSpans } from './open-otlp.ts'

export interface OpenedTrace {
  trace: Trace
  calloutCounts: CalloutCounts
  clientTraffic: ClientTraffic
  /** Of requests to webhook endpoints. */
  refusals: Refusals
  callouts: CalloutObserver
  tokens: TokenObserver
  /**
   * Puts an event on the trace: never waits, never fails, and is lost if the process is killed within about a second. An
   * event that must be written with what it describes is appended in that transaction (`appendTrace`). What comes in
   * floods is counted and noted once a minute, as in `ClientTraffic`.
   */
  note(event: NewTraceEvent): void
  otlp: OtlpCounts | null
  /** Events that were lost since the start. */
  lost(): number
  /** Removes old events, now and every hour, and writes the counts of each minute. For a server. */
  run(onError: (error: unknown) => void): void
  /** Writes what was counted. */
  close(): Promise<void>
}

const minuteMs = 60_000
const purgeMs = 3_600_000

/** @param exporter of the spans of calls; null without one */
export function openTrace({ records, clock, store }: OpenedOrg, exporter: SpanExporter | null): OpenedTrace {
  const { trace: buffer } = records
  const now = (): string => clock.now()
  const calloutCounts = createCalloutCounts()
  const minutes = createCalloutMinutes(now)
  const clientTraffic = createClientTraffic(now, buffer.note)
  const refusals = createRefusals(now, buffer.note)
  const noteSpan = exporter === null ? null : attemptSpans(exporter)
  const closing = new AbortController()
  const timers: NodeJS.Timeout[] = []
  const noteMinute = (): void => {
    const until = now()
    for (const event of [...minutes.take(until), ...clientTraffic.take(until), ...refusals.take(until)])
      buffer.note(event)
  }
  const isUsed = (): boolean => store.read(({ recordFacts }) => recordFacts.anyTrace())
  const purge = async (): Promise<void> => {
    // Without events, the records are not opened.
    if (isUsed()) await purgeTrace(buffer.purge, { now: now(), timer: systemTimer, signal: closing.signal })
  }
  return {
    ...{ calloutCounts, clientTraffic, refusals, lost: buffer.lost, note: buffer.note, otlp: exporter },
    trace: createTrace({
      flush: buffer.flush,
      read: (work) => (isUsed() ? records.store().read(work) : work({ trace: async () => [] })),
    }),
    callouts: {
      onAttempt: (call, attempt, outcome) => {
        calloutCounts.noteAttempt(call.credential.key, outcome, attempt.latencyMs)
        minutes.noteAttempt(call.credential.key, outcome, attempt.latencyMs)
        noteSpan?.(call, attempt, outcome)
      },
      onWithheld: ({ credential }, { code }) => calloutCounts.noteWithheld(credential.key, code),
      onExecuted: (...executed) => buffer.note(executedEvent(...executed)),
      onTransition: (...change) => buffer.note(transitionEvent(...change)),
    },
    tokens: { onRequest: (request) => buffer.note(tokenEvent(request)) },
    run: (onError) => {
      buffer.followErrors(onError)
      const purgeNow = (): void => void purge().catch(onError)
      timers.push(setInterval(noteMinute, minuteMs).unref(), setInterval(purgeNow, purgeMs).unref())
      purgeNow()
    },
    close: async () => {
      if (closing.signal.aborted) return
      closing.abort()
      for (const timer of timers) clearInterval(timer)
      noteMinute()
      await buffer.flush()
    },
  }
}

function executedEvent(...[call, executed]: Parameters<CalloutObserver['onExecuted']>): NewTraceEvent {
  const { credential, correlationId, actor, method, origin } = call
  const { at, durationMs, attempts, error } = executed
  const last = attempts.at(-1)
  return {
    at,
    kind: 'callout',
    correlationId,
    subject: `named_credential/${credential.key}`,
    record: origin?.record ?? null,
    actor,
    isFailed: error !== null,
    durationMs,
    facts: {
      method,
      endpoint: endpointOf(call),
      status: last?.status ?? null,
      automation: origin?.automation ?? null,
      action: origin?.action ?? null,
      attempts: attempts.map(({ n, at: sentAt, endpoint, status, latencyMs, error: problem }) => ({
        n,
        at: sentAt,
        endpoint,
        status,
        latencyMs,
        code: problem?.code ?? null,
      })),
      code: error?.code ?? null,
    },
  }
}

function transitionEvent(
  ...[credential, { from, to, cause, at, actor }, correlationId]: Parameters<CalloutObserver['onTransition']>
): NewTraceEvent {
  return {
    ...{ at: new Date(at).toISOString(), kind: 'breaker', correlationId: correlationId || null },
    ...{ subject: `named_credential/${credential}`, record: null, actor, isFailed: to === 'open' },
    ...{ durationMs: null, facts: { from, to, cause } },
  }
}

function tokenEvent({
  at,
  durationMs,
  credential,
  principal,
  user,
  correlationId,
  result,
}: Parameters<TokenObserver['onRequest']>[0]): NewTraceEvent {
  return {
    ...{
      at,
      kind: 'token',
      correlationId: correlationId || null,
      subject: `external_credential/${credential}`,
    },
    ...{ record: null, actor: user, isFailed: result !== 'issued', durationMs },
    facts: { principal, user, result },
  }
}
