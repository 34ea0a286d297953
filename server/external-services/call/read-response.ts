// Reads a response of an operation: checked against its schema, then converted to its type.
import type { ServiceType } from '#kernel/components/external-service/service-types.ts'
import type { OperationContent } from '../structure/operation-structure.ts'
import { chooseContent, isJsonType } from '../types/choose-content.ts'
import {
  parseExactJson,
  readServiceValue,
  type ExactJson,
  type ReadValue,
  type ValueIssue,
} from '#kernel/service-values/index.ts'
import type { CallableOperation } from './write-request.ts'

export interface ReceivedResponse {
  status: number
  /** Of the Content-Type header, if there is one. */
  mediaType?: string
  /** Decoded; empty for none. */
  text: string
}

/** Issues have a pointer into the body. A status that the description does not mention has a body of any type. */
export function readResponse(callable: CallableOperation, response: ReceivedResponse): ReadValue {
  const { operation, structure, types } = callable
  const status = declaredStatus(
    response.status,
    structure.responses.map((each) => each.status),
  )
  const declared = structure.responses.find((each) => each.status === status)
  const content = declared === undefined ? null : chooseContent(declared.content)
  if (response.text === '' || response.status === 204 || response.status === 304)
    return content === null || response.status >= 300 || response.status === 204
      ? { ok: true, value: null }
      : refuse(`The response ${response.status} of ${operation.name} has no body.`)
  if (!isJson(response, content)) return { ok: true, value: response.text }
  const json = parse(response.text)
  if (json === null) return refuse(`The response ${response.status} of ${operation.name} is not valid JSON.`)
  if (content === null || !isJsonType(content.mediaType)) return readServiceValue(json, anything, types)
  const fault = callable.checkers.response.check(content.schema, json.value)
  if (fault !== null) return { ok: false, issue: fault }
  return readServiceValue(json, operation.responses[status!]!.type, types)
}

const anything: ServiceType = { kind: 'dyn' }

function declaredStatus(status: number, declared: readonly string[]): string | undefined {
  return [String(status), `${Math.floor(status / 100)}XX`, 'default'].find((name) => declared.includes(name))
}

/** The header decides; without one, the description does. */
function isJson({ mediaType }: ReceivedResponse, content: OperationContent | null): boolean {
  if (mediaType !== undefined) return isJsonType(mediaType.toLowerCase().replaceAll(/\s/g, ''))
  return content !== null && isJsonType(content.mediaType)
}

function parse(text: string): ExactJson | null {
  try {
    return parseExactJson(text)
  } catch (error) {
    if (error instanceof SyntaxError) return null
    throw error
  }
}

function refuse(message: string): { ok: false; issue: ValueIssue } {
  return { ok: false, issue: { pointer: '', message } }
}
