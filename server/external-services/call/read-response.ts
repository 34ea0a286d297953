// Reads a response of an operation: checked against its schema, then converted to its type.
import { truncateInput } from '#kernel/errors/truncate-input.ts'
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

/**
 * Issues have a pointer into the body. A successful response has the type of the operation, even if the description does
 * not mention its status: expressions rely on it. Any other response that is not mentioned has a body of any type.
 */
export function readResponse(callable: CallableOperation, response: ReceivedResponse): ReadValue {
  const { operation, structure, types } = callable
  const status = declaredStatus(
    response.status,
    structure.responses.map((each) => each.status),
  )
  const declared = structure.responses.find((each) => each.status === status)
  const content = declared === undefined ? null : chooseContent(declared.content)
  const isSuccess = response.status >= 200 && response.status < 300
  const undeclared = isSuccess ? operation.result : anything
  const type = content === null ? undeclared : operation.responses[status!]!.type
  const name = `The response ${response.status} of ${operation.name}`
  if (response.text === '' || response.status === 204 || response.status === 304)
    return !isSuccess || canBeAbsent(content === null ? type : operation.result)
      ? absent
      : refuse(`${name} has no body.`)
  if (content === null && type.kind === 'absent') return absent
  if (content !== null && !isJsonType(content.mediaType) && type.kind === 'text')
    return { ok: true, value: response.text }
  if (!isJson(response, content, type))
    return isText(type) || (content !== null && !isJsonType(content.mediaType))
      ? { ok: true, value: response.text }
      : refuse(`${name} has the media type ${truncateInput(response.mediaType ?? 'text/plain')}, not JSON.`)
  const json = parse(response.text)
  if (json === null) return refuse(`${name} is not valid JSON.`)
  if (content === null || !isJsonType(content.mediaType)) return readServiceValue(json, type, types)
  const fault = callable.checkers.response.check(content.schema, json)
  if (fault !== null) return { ok: false, issue: fault }
  return readServiceValue(json, type, types)
}

const anything: ServiceType = { kind: 'dyn' }
const absent = { ok: true, value: null } as const

const isText = (type: ServiceType): boolean => type.kind === 'text' || type.kind === 'dyn'

const canBeAbsent = (type: ServiceType): boolean =>
  type.kind === 'absent' || type.kind === 'dyn' || type.nullable === true

function declaredStatus(status: number, declared: readonly string[]): string | undefined {
  return [String(status), `${Math.floor(status / 100)}XX`, 'default'].find((name) => declared.includes(name))
}

/** The header decides; without one, the description does. */
function isJson(
  { mediaType }: ReceivedResponse,
  content: OperationContent | null,
  type: ServiceType,
): boolean {
  if (mediaType !== undefined) return isJsonType(mediaType.toLowerCase().replaceAll(/\s/g, ''))
  return content === null ? !isText(type) : isJsonType(content.mediaType)
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
