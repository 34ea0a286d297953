// The arguments of a call as typed values: numbers and dates arrive as the texts that JSON has for them.
import { payloadSteps } from '#kernel/components/payload-steps.ts'
import type { ServiceType } from '#kernel/components/external-service/service-types.ts'
import {
  parseExactJson,
  readServiceValue,
  type ServiceValue,
  type ValueIssue,
} from '#kernel/service-values/index.ts'
import type { CallableOperation, CallArguments } from '../external-services/index.ts'

/** JSON values. */
export interface SentArguments {
  /** Parameters by key, and `body`. */
  args: Readonly<Record<string, unknown>>
  /** Members of the body, by name or JSON pointer; instead of `body`. */
  payload?: Readonly<Record<string, unknown>>
}

export type ArgumentsResult = { ok: true; args: CallArguments } | { ok: false; issue: ValueIssue }

/** Null is an argument without a value. Unknown names stay, so that the request reports them. */
export function argumentValues(
  { operation, types }: CallableOperation,
  { args, payload = {} }: SentArguments,
): ArgumentsResult {
  const sent: Record<string, unknown> = { ...args }
  if (Object.keys(payload).length > 0) define(sent, 'body', bodyOf(payload))
  const values: Record<string, ServiceValue> = {}
  for (const [key, value] of Object.entries(sent)) {
    if (value === null || value === undefined) continue
    const type =
      operation.parameters.find((each) => each.key === key)?.type ??
      (key === 'body' ? operation.body?.type : undefined)
    const read = readServiceValue(parseExactJson(JSON.stringify(value)), type ?? anything, types)
    if (!read.ok) return { ok: false, issue: { ...read.issue, pointer: `/${key}${read.issue.pointer}` } }
    define(values, key, read.value)
  }
  return { ok: true, args: values }
}

const anything: ServiceType = { kind: 'dyn' }

/** A member without a value is left out. */
function bodyOf(payload: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const body: Record<string, unknown> = {}
  for (const [name, value] of Object.entries(payload)) {
    if (value === null || value === undefined) continue
    const steps = payloadSteps(name)
    let at = body
    for (const step of steps.slice(0, -1)) {
      const inner = Object.hasOwn(at, step) ? at[step] : undefined
      const next = isObject(inner) ? inner : {}
      define(at, step, next)
      at = next
    }
    define(at, steps.at(-1)!, value)
  }
  return body
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** Also for a name such as `__proto__`. */
function define(target: object, name: string, value: unknown): void {
  Object.defineProperty(target, name, { value, enumerable: true, configurable: true, writable: true })
}
