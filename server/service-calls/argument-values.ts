// The arguments of a call as typed values: numbers and dates arrive as the texts that JSON has for them.
import { findJsonIssues } from '#kernel/components/json-issues.ts'
import { defineMember, payloadOf } from '#kernel/components/payload-steps.ts'
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
  // A member without a value is left out.
  const members = Object.entries(payload).filter(([, value]) => value !== null && value !== undefined)
  if (Object.keys(payload).length > 0) defineMember(sent, 'body', payloadOf(members))
  // Half a character cannot be sent.
  const [fault] = findJsonIssues(sent).faults
  if (fault !== undefined) return { ok: false, issue: { pointer: fault.path, message: fault.message } }
  const values: Record<string, ServiceValue> = {}
  for (const [key, value] of Object.entries(sent)) {
    if (value === null || value === undefined) continue
    const type =
      operation.parameters.find((each) => each.key === key)?.type ??
      (key === 'body' ? operation.body?.type : undefined)
    const read = readServiceValue(parseExactJson(JSON.stringify(value)), type ?? anything, types)
    if (!read.ok) return { ok: false, issue: { ...read.issue, pointer: `/${key}${read.issue.pointer}` } }
    defineMember(values, key, read.value)
  }
  return { ok: true, args: values }
}

const anything: ServiceType = { kind: 'dyn' }
