// What operators watch and do: the outbox, circuit breakers, the execution trace.
import type { BreakerStatus, TestCallView } from '#wire/operations.ts'
import type { OutboxCallView, OutboxRowView } from '#wire/outbox.ts'
import type { TraceFacts, TraceKind } from '#kernel/trace/index.ts'
import { get, post } from './request.ts'

export type { BreakerStatus, TestCallView } from '#wire/operations.ts'
export type { CallValueView, OutboxAttemptView, OutboxCallView, OutboxRowView } from '#wire/outbox.ts'
export type { TraceKind } from '#kernel/trace/index.ts'

export type OutboxState = OutboxRowView['state']

/** What the address of the page has, as the server takes it. */
export interface OutboxQuery {
  state?: OutboxState | 'open' | undefined
  failed?: 'true' | undefined
  credential?: string | undefined
  record?: string | undefined
  correlationId?: string | undefined
  since?: string | undefined
}

export interface OutboxPage {
  rows: OutboxRowView[]
  counts: Record<OutboxState, number>
  nextCursor: string | null
}

const outbox = '/setup/v3/outbox'
const rowPath = (id: string): string => `${outbox}/${encodeURIComponent(id)}`

export const fetchOutbox = (query: OutboxQuery, cursor?: string): Promise<OutboxPage> =>
  get(outbox, { ...query, cursor, limit: 100 })
export const fetchCall = (id: string): Promise<OutboxCallView> => get(rowPath(id))
export const requeueCall = (id: string, acceptRepeat: boolean): Promise<void> =>
  post(`${rowPath(id)}/requeue`, { acceptRepeat })
export const resolveCall = (id: string, reason: string): Promise<void> =>
  post(`${rowPath(id)}/resolve`, { reason })
export const discardCall = (id: string, reason: string): Promise<void> =>
  post(`${rowPath(id)}/discard`, { reason })

export type CallAction = 'requeue' | 'resolve' | 'discard'

export interface HandledCalls {
  rows: number
  unrepeatable: number
  job: string | null
}

export const handleCalls = (request: {
  action: CallAction
  filter: Omit<OutboxQuery, 'state' | 'failed'>
  acceptRepeat?: boolean
  reason?: string
  dryRun?: boolean
}): Promise<HandledCalls> => post(`${outbox}/actions`, request)

export const fetchBreakers = async (): Promise<BreakerStatus[]> =>
  (await get<{ breakers: BreakerStatus[] }>('/setup/v3/breakers')).breakers
export const forceBreaker = (
  credential: string,
  to: 'open' | 'close',
  reason: string,
): Promise<BreakerStatus> => post(`/setup/v3/breakers/${encodeURIComponent(credential)}/${to}`, { reason })
export const testCredential = (credential: string, method: 'GET' | 'HEAD'): Promise<TestCallView> =>
  post(`/setup/v3/named-credentials/${encodeURIComponent(credential)}/test`, { method })

interface Envelope {
  id: string
  at: string
  correlationId: string | null
  subject: string | null
  record: string | null
  actor: string | null
  isFailed: boolean
  durationMs: number | null
}
export type TraceEventView = { [K in TraceKind]: Envelope & { kind: K; facts: TraceFacts<K> } }[TraceKind]

export interface TraceQuery {
  correlationId?: string | undefined
  kind?: TraceKind | undefined
  subject?: string | undefined
  record?: string | undefined
  failed?: 'true' | undefined
  since?: string | undefined
}

export const fetchTrace = (
  query: TraceQuery,
  { cursor, limit = 100 }: { cursor?: string | undefined; limit?: number } = {},
): Promise<{ events: TraceEventView[]; nextCursor: string | null }> =>
  get('/setup/v3/trace', { ...query, cursor, limit })
