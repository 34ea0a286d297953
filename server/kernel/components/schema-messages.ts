// Describes the issues of a schema: place, what is wrong, how to fix it. The same for requests, maps and bindings.
import { z } from 'zod'
import { truncateInput } from '../errors/truncate-input.ts'
import { didYouMean, suggest } from '../errors/suggest.ts'
import { joinWithOr } from './report.ts'
import { describeExpectedIn, propertiesIn, valueAt, type JsonSchema } from './schema-lookup.ts'

type Issue = z.core.$ZodIssue
type Path = readonly PropertyKey[]

export interface IssueMessage {
  path: Path
  message: string
}

/** The maximum number of unknown properties of one object that are named. */
const mostNames = 100

/** @param whole the noun for the input, as in "The body" and "missing from the body" */
export function issueMessages(
  schema: z.ZodType,
  input: unknown,
  issue: Issue,
  whole: string,
): IssueMessage[] {
  const { path } = issue
  const at = (place: Path, message: string): IssueMessage => ({ path: place, message })
  const name = path.length === 0 ? `The ${whole}` : `"${truncateInput(path.map(String).join('.'))}"`
  if (issue.code === 'unrecognized_keys') {
    const properties = propertiesIn(jsonSchemaOf(schema), input, path)
    return issue.keys.slice(0, mostNames).map((key) => {
      const near =
        didYouMean(key, properties) ||
        (properties.length === 0 ? ' It has no properties.' : ` It has ${joinWithOr(properties)}.`)
      return at([...path, key], `"${truncateInput(key)}" is not a property of the ${whole}.${near}`)
    })
  }
  const describeExpected = (): string => describeExpectedIn(jsonSchemaOf(schema), input, path)
  const value = valueAt(input, path)
  if (value === undefined && path.length > 0)
    return [at(path, `${name} is missing from the ${whole}. Write ${describeExpected()}.`)]
  switch (issue.code) {
    case 'invalid_value': {
      const allowed = issue.values.map(String)
      const near = typeof value === 'string' ? suggest(value, allowed) : null
      const way = near === null ? `Write ${joinWithOr(allowed)}.` : `Did you mean "${near}"?`
      return [at(path, `${name} is ${previewValue(value)}, which is not allowed. ${way}`)]
    }
    case 'invalid_type':
      return [at(path, `${name} is ${previewValue(value)}; write ${describeExpected()}.`)]
    case 'too_small':
    case 'too_big':
      return [at(path, boundMessage(name, value, issue))]
    default:
  }
  if (issue.message === 'Invalid input')
    return [at(path, `${name} is ${previewValue(value)}; write ${describeExpected()}.`)]
  if (issue.code === 'invalid_format' && issue.message.startsWith('Invalid'))
    return [at(path, `${name} is not valid ${issue.format}.`)]
  return [at(path, `${name}: ${issue.message}${issue.message.endsWith('.') ? '' : '.'}`)]
}

/** Returns all issues of an input, one sentence each. */
export function allIssueMessages(
  schema: z.ZodType,
  input: unknown,
  error: z.ZodError,
  whole: string,
): string[] {
  return error.issues
    .flatMap(flattenUnionIssues)
    .slice(0, mostNames)
    .flatMap((issue) => issueMessages(schema, input, issue, whole))
    .map(({ message }) => message)
}

/** Describes a number that is out of bounds, or a text or a list that is too short or too long. */
export function boundMessage(
  name: string,
  value: unknown,
  issue: z.core.$ZodIssueTooSmall | z.core.$ZodIssueTooBig,
): string {
  const isSmall = issue.code === 'too_small'
  const bound = isSmall ? issue.minimum : issue.maximum
  if (issue.origin !== 'array' && issue.origin !== 'string')
    return `${name} is ${previewValue(value)}; ${isSmall ? 'the minimum is' : 'the maximum is'} ${bound}.`
  const what = issue.origin === 'array' ? 'items' : 'characters'
  if (issue.exact === true)
    return `${name} must have exactly ${bound === 1 ? `one ${what.slice(0, -1)}` : `${bound} ${what}`}.`
  if (isSmall && bound === 1)
    return `${name} is empty. Write ${issue.origin === 'array' ? 'at least one item' : 'some text'}.`
  return `${name} has ${isSmall ? 'fewer' : 'more'} than ${bound} ${what}.`
}

/** Returns the issues of the alternative that is closest to the input, or the issue itself if none is close. */
export function flattenUnionIssues(issue: Issue): Issue[] {
  if (issue.code !== 'invalid_union') return [issue]
  const close = issue.errors
    .filter((alternative) => alternative.length > 0 && alternative.every(isInside))
    .sort((a, b) => strangers(a) - strangers(b) || a.length - b.length)
  const [closest] = close
  if (closest === undefined) return [issue]
  return closest.flatMap((inner) =>
    flattenUnionIssues({ ...inner, path: [...issue.path, ...inner.path] } as Issue),
  )
}

/** Reports whether the value has the type of the alternative, so that only a part of it is wrong. */
function isInside({ path, code }: Issue): boolean {
  return path.length > 0 || code === 'unrecognized_keys'
}

function strangers(issues: readonly Issue[]): number {
  return issues.reduce((sum, issue) => sum + (issue.code === 'unrecognized_keys' ? issue.keys.length : 0), 0)
}

const schemas = new WeakMap<z.ZodType, JsonSchema>()

function jsonSchemaOf(schema: z.ZodType): JsonSchema {
  const known = schemas.get(schema)
  if (known !== undefined) return known
  const jsonSchema = z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' }) as JsonSchema
  schemas.set(schema, jsonSchema)
  return jsonSchema
}

/** In place of a number that no message repeats. */
export const hiddenNumber = Symbol('a number')

export function previewValue(value: unknown): string {
  if (value === hiddenNumber) return 'a number'
  if (value === undefined) return 'absent'
  if (Array.isArray(value)) return 'a list'
  if (typeof value === 'object' && value !== null) return 'an object'
  const text = JSON.stringify(value) ?? typeof value
  return text.length > 60 ? `${text.slice(0, 60)}…` : text
}
