// The request of a call in the outbox: what the save evaluated, with what was left to the time of the attempt.
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

/** Names that begin with a slash are JSON pointers: `/customer/name` is a member of a member. */
function payloadOf(members: readonly (readonly [name: string, value: unknown])[]): Record<string, unknown> {
  const payload: Record<string, unknown> = {}
  for (const [name, value] of members) {
    const steps = name.startsWith('/') ? name.slice(1).split('/').map(unescape) : [name]
    let at = payload
    for (const step of steps.slice(0, -1)) {
      const inner = Object.hasOwn(at, step) ? at[step] : undefined
      const next = isObject(inner) ? inner : {}
      define(at, step, next)
      at = next
    }
    define(at, steps.at(-1)!, value)
  }
  return payload
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const unescape = (step: string): string => step.replaceAll('~1', '/').replaceAll('~0', '~')

/** Also for a name such as `__proto__`. */
function define(target: Record<string, unknown>, name: string, value: unknown): void {
  Object.defineProperty(target, name, { value, enumerable: true, configurable: true, writable: true })
}
