// A refused request in words: place, what is wrong, the way out; the same sentences as for components.
import { z } from 'zod'
import { AlmanacError } from '#kernel/errors/almanac-error.ts'
import { didYouMean, suggest } from '#kernel/errors/suggest.ts'
import type { JsonSchema } from '#kernel/components/json-schema.ts'
import { pointer } from '#kernel/components/pointer.ts'
import { oneOf } from '#kernel/components/report.ts'
import { expectedIn, propertiesIn, valueAt } from '#kernel/components/schema-place.ts'
import { cutWords } from './cut-words.ts'
import { longListIssues, type ListIssues } from './long-lists.ts'

export interface RequestIssue {
  /** `body`, `query`, `path`. */
  in: string
  /** JSON pointer to the place. */
  path: string
  message: string
}

/** What a schema makes of an input. @throws AlmanacError `request.malformed` with every issue in `details`. */
export function readInput<S extends z.ZodType>(schema: S, input: unknown, part: string): z.output<S> {
  const lists = longListIssues(schema, input, { most: mostIssues, countOf })
  if (lists.total > 0) throw refused(schema, input, lists, part)
  const parsed = schema.safeParse(input)
  if (parsed.success) return parsed.data
  const { issues } = parsed.error
  throw refused(
    schema,
    input,
    { issues, total: issues.reduce((sum, issue) => sum + countOf(issue), 0) },
    part,
  )
}

function refused(
  schema: z.ZodType,
  input: unknown,
  { issues: found, total }: ListIssues,
  part: string,
): AlmanacError {
  const issues = found.slice(0, mostIssues).flatMap((issue) => issuesOf(schema, input, issue, part))
  const [first] = issues
  const more =
    total > 1
      ? ` There are ${total - 1} more${total > mostIssues ? `; details has the first ${mostIssues}.` : '; see details.'}`
      : ''
  return new AlmanacError('request.malformed', `${first?.message ?? `The ${part} is not valid.`}${more}`, {
    details: issues.slice(0, mostIssues),
  })
}

/** Issues that one refusal explains: a body of many faults must not become an answer that is larger than it. */
const mostIssues = 100

/** An object with unknown keys is one issue of the schema, and one of ours for each key. */
function countOf(issue: z.core.$ZodIssue): number {
  return issue.code === 'unrecognized_keys' ? issue.keys.length : 1
}

const schemas = new WeakMap<z.ZodType, JsonSchema>()

function jsonSchemaOf(schema: z.ZodType): JsonSchema {
  const known = schemas.get(schema)
  if (known !== undefined) return known
  const made = z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' }) as JsonSchema
  schemas.set(schema, made)
  return made
}

function issuesOf(schema: z.ZodType, input: unknown, issue: z.core.$ZodIssue, part: string): RequestIssue[] {
  const at = (path: readonly PropertyKey[], message: string): RequestIssue => ({
    in: part,
    path: cutWords(pointer(...path.map(String))),
    message,
  })
  const { path } = issue
  const name = path.length === 0 ? `The ${part}` : `"${cutWords(path.map(String).join('.'))}"`
  if (issue.code === 'unrecognized_keys') {
    const known = propertiesIn(jsonSchemaOf(schema), input, path)
    return issue.keys.slice(0, mostIssues).map((key) => {
      const near =
        didYouMean(key, known) || (known.length === 0 ? ' It takes none.' : ` It has ${oneOf(known)}.`)
      return at([...path, key], `"${cutWords(key)}" is not known in the ${part}.${near}`)
    })
  }
  const expected = () => expectedIn(jsonSchemaOf(schema), input, path)
  const value = valueAt(input, path)
  if (value === undefined && path.length > 0)
    return [at(path, `${name} is missing from the ${part}. Write ${expected()}.`)]
  if (issue.code === 'invalid_value') {
    const allowed = issue.values.map(String)
    const near = typeof value === 'string' ? suggest(value, allowed) : null
    const way = near === null ? `Write ${oneOf(allowed)}.` : `Did you mean "${near}"?`
    return [at(path, `${name} is ${shown(value)}, which is not allowed. ${way}`)]
  }
  if (issue.code === 'invalid_type' || issue.message === 'Invalid input')
    return [at(path, `${name} is ${shown(value)}; write ${expected()}.`)]
  return [at(path, `${name}: ${issue.message}${issue.message.endsWith('.') ? '' : '.'}`)]
}

function shown(value: unknown): string {
  if (value === undefined) return 'absent'
  if (Array.isArray(value)) return 'a list'
  if (typeof value === 'object' && value !== null) return 'an object'
  const text = JSON.stringify(value)
  return text.length > 60 ? `${text.slice(0, 60)}…` : text
}
