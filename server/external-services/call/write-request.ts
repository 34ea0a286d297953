// Writes one call of an operation: its method, path, query, headers and body. The named credential gives the rest.
import type { ServiceOperation, ServiceTypes } from '#kernel/components/external-service/service-types.ts'
import { didYouMean } from '#kernel/errors/suggest.ts'
import { memberOf, isObject, type JsonObject, type JsonValue } from '../json.ts'
import type { OperationContent, OperationStructure } from '../structure/operation-structure.ts'
import { chooseContent, isFormType, isJsonType } from '../types/choose-content.ts'
import type { Direction } from '../validate/prepared-schema.ts'
import type { ValueChecker } from '../validate/value-checker.ts'
import {
  parseExactJson,
  writeExactJson,
  writeServiceValue,
  type ExactValue,
  type ServiceValue,
  type ValueIssue,
} from '#kernel/service-values/index.ts'
import { writeParameter } from '../values/write-parameter.ts'

export interface WrittenRequest {
  /** Upper-case. */
  method: string
  /** With encoded parameters, from its first slash; to be appended to the path of the named credential's address. */
  path: string
  /** `limit=10&tag=a`, encoded; or an empty text. */
  query: string
  headers: Readonly<Record<string, string>>
  body: { mediaType: string; text: string } | null
}

/** Parameters by their keys, and `body`. */
export type CallArguments = Readonly<Record<string, ServiceValue>>

export type RequestResult = { ok: true; request: WrittenRequest } | { ok: false; issue: ValueIssue }

/** How an operation is called. */
export interface CallableOperation {
  operation: ServiceOperation
  structure: OperationStructure
  types: ServiceTypes
  /** Of its requests and its responses. */
  checkers: Readonly<Record<Direction, ValueChecker>>
}

/** Issues have a pointer into the arguments, such as `/body/lines/0`. */
export function writeRequest(callable: CallableOperation, args: CallArguments): RequestResult {
  const { operation, structure, types } = callable
  const known = [...operation.parameters.map(({ key }) => key), ...(operation.body === null ? [] : ['body'])]
  for (const name of Object.keys(args))
    if (!known.includes(name))
      return issue(`/${name}`, `${operation.name} has no parameter "${name}".${didYouMean(name, known)}`)
  let { path } = structure
  const pairs: (readonly [string, string])[] = []
  const headers: Record<string, string> = {}
  const cookies: (readonly [string, string])[] = []
  for (const { key, type, ...declared } of operation.parameters) {
    const value = Object.hasOwn(args, key) ? args[key]! : null
    const parameter = structure.parameters.find(
      (each) => each.name === declared.name && each.in === declared.in,
    )!
    if (value === null) {
      if (!declared.required) continue
      return issue(`/${key}`, `${operation.name} requires the parameter "${key}". Specify it.`)
    }
    const exact = writeServiceValue(value, type, types)
    const fault = check(callable, parameter.schema, exact)
    if (fault !== null) return { ok: false, issue: { ...fault, pointer: `/${key}${fault.pointer}` } }
    const written = writeParameter(parameter, exact)
    if (parameter.in === 'path') {
      const text = 'text' in written ? written.text : ''
      // An empty or dotted step would lead to a different path.
      if (text === '' || text === '.' || text === '..')
        return issue(`/${key}`, `The path parameter "${key}" cannot be "${text}".`)
      path = path.replaceAll(`{${parameter.name}}`, () => text)
    } else if (parameter.in === 'header') {
      const text = 'text' in written ? written.text : ''
      if (!/^[\t\x20-\x7e\x80-\xff]*$/.test(text))
        return issue(
          `/${key}`,
          `The header "${parameter.name}" contains a character that headers cannot have.`,
        )
      headers[parameter.name] = text
    } else if ('pairs' in written) (parameter.in === 'query' ? pairs : cookies).push(...written.pairs)
  }
  const body = writeBody(callable, args)
  if (body !== null && 'ok' in body) return body
  const joined = (list: readonly (readonly [string, string])[], separator: string): string =>
    list.map((pair) => pair.join('=')).join(separator)
  if (cookies.length > 0) headers.Cookie = joined(cookies, '; ')
  const request = { method: operation.method, path, query: joined(pairs, '&'), headers, body }
  return { ok: true, request }
}

function writeBody(
  callable: CallableOperation,
  args: CallArguments,
): WrittenRequest['body'] | Extract<RequestResult, { ok: false }> {
  const { operation, structure, types } = callable
  const content = structure.body === null ? null : chooseContent(structure.body.content)
  if (content === null || operation.body === null) return null
  const value = Object.hasOwn(args, 'body') ? args.body! : null
  if (value === null && operation.body.type.nullable !== true)
    return operation.body.required
      ? issue('/body', `${operation.name} requires a body. Specify "body".`)
      : null
  const exact = writeServiceValue(value, operation.body.type, types)
  const { mediaType } = content
  if (isJsonType(mediaType) || isFormType(mediaType)) {
    const fault = check(callable, content.schema, exact)
    if (fault !== null) return { ok: false, issue: { ...fault, pointer: `/body${fault.pointer}` } }
    if (isFormType(mediaType)) return { mediaType, text: writeForm(exact, content) }
    return {
      mediaType: mediaType.includes('*') ? 'application/json' : mediaType,
      text: writeExactJson(exact),
    }
  }
  if (typeof exact === 'string') return { mediaType, text: exact }
  return issue('/body', `A body of the media type ${mediaType} must be a text.`)
}

function writeForm(value: ExactValue, { encoding }: OperationContent): string {
  if (!isObject(value as JsonValue)) return ''
  return Object.entries(value as { readonly [name: string]: ExactValue })
    .filter(([, each]) => each !== null)
    .flatMap(([name, each]) => {
      const part = memberOf(encoding, name)
      const how: JsonObject = isObject(part) ? part : {}
      const style = typeof how.style === 'string' ? how.style : 'form'
      const explode = typeof how.explode === 'boolean' ? how.explode : style === 'form'
      const asJson = !Object.hasOwn(how, 'style') && isObject(each as JsonValue) && !Array.isArray(each)
      const parameter = { name, in: 'query' as const, required: false, style, explode, allowReserved: false }
      const written = writeParameter(
        { ...parameter, schema: true, ...(asJson && { mediaType: 'application/json' }) },
        each,
      )
      return 'pairs' in written ? written.pairs.map((pair) => pair.join('=')) : []
    })
    .join('&')
}

function check({ checkers }: CallableOperation, schema: JsonValue, value: ExactValue): ValueIssue | null {
  return checkers.request.check(schema, parseExactJson(writeExactJson(value)))
}

function issue(pointer: string, message: string): Extract<RequestResult, { ok: false }> {
  return { ok: false, issue: { pointer, message } }
}
