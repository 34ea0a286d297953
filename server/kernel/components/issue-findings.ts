// Turns the issues of a schema into findings: place, plain message, fix, and code.
import type { z } from 'zod'
import { findingCodes, type FindingCode } from '../errors/finding-codes.ts'
import type { Finding } from '../errors/finding.ts'
import { didYouMean, suggest } from '../errors/suggest.ts'
import type { ComponentType } from './component.ts'
import { bodyJsonSchema } from './json-schema.ts'
import { mostFindings } from './most-findings.ts'
import { pointer } from './pointer.ts'
import { roomOf } from './registry.ts'
import { errorFinding, joinWithOr } from './report.ts'
import { describeExpectedIn, propertiesIn, valueAt } from './schema-lookup.ts'
import { boundMessage, previewValue } from './schema-messages.ts'

type Issue = z.core.$ZodIssue
type Path = readonly PropertyKey[]
interface IssueReport {
  path: Path
  code: FindingCode
  message: string
}

/** Returns the findings of one issue. An issue about several unknown properties gives one finding for each. */
export function issueFindings(
  place: { type: ComponentType; key: string },
  body: unknown,
  issue: Issue,
): Finding[] {
  return reportIssue(place.type, body, issue).map(({ path, code, message }) => {
    const missing = valueAt(body, path) === undefined
    const naming = roomOf(place.type).issues?.find(({ at }) => matches(at, path))
    const named = naming?.message?.(place.key, missing) || message
    return errorFinding(place, pointer('body', ...path.map(String)), naming?.code ?? code, named)
  })
}

function reportIssue(type: ComponentType, body: unknown, issue: Issue): IssueReport[] {
  const { path } = issue
  switch (issue.code) {
    case 'unrecognized_keys':
      return issue.keys.slice(0, mostFindings + 1).map((name) => unknownProperty(type, body, path, name))
    case 'invalid_type':
      return [valueAt(body, path) === undefined ? missing(type, body, path) : wrongType(type, body, path)]
    case 'invalid_value':
      return [notAllowed(type, body, path, issue.values.map(String))]
    case 'invalid_union':
      return [union(type, body, issue)]
    case 'too_small':
    case 'too_big':
      return [outOfBounds(body, issue)]
    case 'invalid_key':
      return [{ path, code: 'key.invalid', message: issue.issues[0]?.message ?? issue.message }]
    case 'custom':
      return [{ path, code: customCode(issue.params), message: issue.message }]
    case 'invalid_format':
      return [{ path, code: 'body.format', message: formatMessage(issue, path, valueAt(body, path)) }]
    case 'not_multiple_of':
    case 'invalid_element':
      return [{ path, code: 'body.value', message: `${quotePath(path)}: ${issue.message}.` }]
  }
}

function unknownProperty(type: ComponentType, body: unknown, path: Path, name: string): IssueReport {
  const known = propertiesIn(bodyJsonSchema(type), body, path)
  const owner = path.length === 0 ? withArticle(roomOf(type).title) : quotePath(path)
  // With another value of the property that decides the kind, as in the storage of an object.
  if (known.includes(name))
    return {
      path: [...path, name],
      code: 'body.unknown_property',
      message: `"${name}" is not a property of ${owner} of this kind. Remove it, or change the kind.`,
    }
  const near = didYouMean(name, known)
  const all = known.length === 0 ? '' : ` It has ${joinWithOr(known)}.`
  return {
    path: [...path, name],
    code: 'body.unknown_property',
    message: `"${name}" is not a property of ${owner}.${near || all}`,
  }
}

function describeExpected(type: ComponentType, body: unknown, path: Path): string {
  return describeExpectedIn(bodyJsonSchema(type), body, path)
}

function missing(type: ComponentType, body: unknown, path: Path): IssueReport {
  const owner = path.length <= 1 ? `The ${roomOf(type).title}` : quotePath(path.slice(0, -1))
  return {
    path,
    code: 'body.missing',
    message: `${owner} has no "${String(path.at(-1))}". Write ${describeExpected(type, body, path)}.`,
  }
}

function wrongType(type: ComponentType, body: unknown, path: Path): IssueReport {
  const name = path.length === 0 ? `The body of ${withArticle(roomOf(type).title)}` : quotePath(path)
  const value = valueAt(body, path)
  if (
    typeof value === 'number' &&
    !Number.isInteger(value) &&
    describeExpected(type, body, path) === 'a whole number'
  )
    return { path, code: 'body.type', message: `${name} is ${value}; write a whole number.` }
  return {
    path,
    code: 'body.type',
    message: `${name} is ${previewValue(value)}; write ${describeExpected(type, body, path)}.`,
  }
}

/** Types that a field for secrets would have; none of them exists. */
const secretTypes = /secret|passw|encrypt|write_?only|token|private_?key|credential/i

function notAllowed(type: ComponentType, body: unknown, path: Path, allowed: readonly string[]): IssueReport {
  const value = valueAt(body, path)
  if (value === undefined) return missing(type, body, path)
  if (path.at(-1) === 'type' && typeof value === 'string' && secretTypes.test(value)) {
    const advice = allowed.includes('credential_reference')
      ? 'Use credential_reference, which contains the key of a credential and never its secret.'
      : 'Declare an external credential, whose store keeps the secret.'
    return {
      path,
      code: 'config.secret_type',
      message: `The field type "${value}" does not exist: fields cannot contain secrets. ${advice}`,
    }
  }
  const near = typeof value === 'string' ? suggest(value, allowed) : null
  const advice =
    near === null
      ? `Write ${joinWithOr(allowed)}.`
      : `Did you mean "${near}"?${allowed.length <= 8 ? ` Allowed: ${joinWithOr(allowed)}.` : ''}`
  return {
    path,
    code: 'body.value',
    message: `${quotePath(path)} is ${previewValue(value)}, which is not allowed. ${advice}`,
  }
}

function union(type: ComponentType, body: unknown, issue: z.core.$ZodIssueInvalidUnion): IssueReport {
  const { path } = issue
  const options = (issue as { options?: unknown }).options
  if (Array.isArray(options)) return notAllowed(type, body, path, options.map(String))
  if (valueAt(body, path) === undefined) return missing(type, body, path)
  if (issue.message !== 'Invalid input') return { path, code: 'body.value', message: issue.message }
  return wrongType(type, body, path)
}

function outOfBounds(body: unknown, issue: z.core.$ZodIssueTooSmall | z.core.$ZodIssueTooBig): IssueReport {
  const { path } = issue
  return { path, code: 'body.range', message: boundMessage(quotePath(path), valueAt(body, path), issue) }
}

function formatMessage(issue: { message: string; pattern?: string }, path: Path, value: unknown): string {
  return issue.message.startsWith('Invalid')
    ? `${quotePath(path)} is ${previewValue(value)}, which does not have the required format.`
    : issue.message
}

function customCode(params: Record<string, unknown> | undefined): FindingCode {
  const code = params?.['code']
  return typeof code === 'string' && Object.hasOwn(findingCodes, code) ? (code as FindingCode) : 'body.format'
}

function matches(pattern: string, path: Path): boolean {
  const steps = pattern.split('/').slice(1)
  return steps.length === path.length && steps.every((step, at) => step === '*' || step === String(path[at]))
}

/** The name of the innermost property, or `item 2 of "fields"` for an item of a list. */
function quotePath(path: Path): string {
  const last = path.at(-1)
  if (typeof last !== 'number') return `"${String(last)}"`
  return `item ${last + 1} of "${String(path.at(-2))}"`
}

function withArticle(noun: string): string {
  return `${/^[aeiou]/.test(noun) ? 'an' : 'a'} ${noun}`
}
