// The request of a call in the outbox: what the save evaluated, with what was left to the time of the attempt.
import { payloadOf } from '#kernel/components/payload-steps.ts'
import type { RecordEffect } from '../ports/record-change.ts'

export interface CallRequest {
  method: string
  path: string
  pathParams: Record<string, string>
  query: [name: string, value: string][]
  /** JSON; null without a payload. */
  payload: string | null
  /** Null if the action declares none. */
  idempotencyKey: string | null
}

interface CallBody {
  method?: string
  path?: string
  pathParams?: Record<string, unknown>
  query?: Record<string, unknown>
  payload?: Record<string, unknown>
  idempotencyKey?: unknown
}

/** @param deferred path in the action → value */
export function callRequest(
  { body }: Pick<RecordEffect, 'body'>,
  deferred: Readonly<Record<string, unknown>>,
): CallRequest {
  const { method = 'POST', path = '', pathParams, query, payload, idempotencyKey } = body as CallBody
  const valueAt = (place: string, stored: unknown): unknown =>
    Object.hasOwn(deferred, place) ? deferred[place] : stored
  const filled = (name: string, values: Record<string, unknown> = {}): [string, unknown][] =>
    Object.entries(values).map(([key, value]) => [key, valueAt(`${name}/${key}`, value)])
  const texts = (name: string, values?: Record<string, unknown>): [string, string][] =>
    filled(name, values).flatMap(([key, value]) => (value == null ? [] : [[key, textOf(value)]]))
  const members = filled('payload', payload)
  const declared = valueAt('idempotencyKey', idempotencyKey)
  return {
    method,
    path,
    pathParams: Object.fromEntries(texts('pathParams', pathParams)),
    query: texts('query', query),
    payload: members.length === 0 ? null : JSON.stringify(payloadOf(members)),
    idempotencyKey: declared == null ? null : textOf(declared),
  }
}

const textOf = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value))
