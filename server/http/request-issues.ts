// Explains a refused request: place, problem, fix; with the same sentences as for components.
import type { z } from 'zod'
import { AlmanacError } from '#kernel/errors/almanac-error.ts'
import { pointer } from '#kernel/components/pointer.ts'
import { flattenUnionIssues, hiddenNumber, issueMessages } from '#kernel/components/schema-messages.ts'
import { truncateInput } from '#kernel/errors/truncate-input.ts'
import { longListIssues, type ListIssues } from '#kernel/components/long-lists.ts'

export interface RequestIssue {
  /** `body`, `query`, `path`. */
  in: string
  /** JSON pointer to the place. */
  path: string
  message: string
}

export interface InputOptions {
  /** Members whose values are not repeated in errors. */
  secrets?: readonly string[] | undefined
}

/** Parses an input with a schema. @throws AlmanacError `request.malformed` with every issue in `details`. */
export function validateInput<S extends z.ZodType>(
  schema: S,
  input: unknown,
  part: string,
  { secrets }: InputOptions = {},
): z.output<S> {
  const shown = secrets === undefined ? input : withoutSecrets(input, secrets)
  const lists = longListIssues(schema, input, { most: maxIssues, countOf })
  if (lists.total > 0) throw malformedRequest(schema, shown, lists, part)
  const parsed = schema.safeParse(input)
  if (parsed.success) {
    const dropped = part === 'body' ? droppedName(input, parsed.data) : null
    if (dropped === null) return parsed.data
    throw reservedName(dropped, part)
  }
  const { issues } = parsed.error
  throw malformedRequest(
    schema,
    shown,
    { issues, total: issues.reduce((sum, issue) => sum + countOf(issue), 0) },
    part,
  )
}

function withoutSecrets(input: unknown, secrets: readonly string[]): unknown {
  // A body that is not an object can be the secret itself.
  if (typeof input !== 'object' || input === null || Array.isArray(input)) return maskedInput(input)
  const entries = Object.entries(input)
  return Object.fromEntries(
    entries.map(([name, value]) => [name, secrets.includes(name) ? maskedInput(value) : value]),
  )
}

/** The same names and types, without a value. */
function maskedInput(input: unknown): unknown {
  if (typeof input === 'string') return '…'
  if (typeof input === 'number') return hiddenNumber
  if (Array.isArray(input)) return input.map(maskedInput)
  if (typeof input !== 'object' || input === null) return input
  return Object.fromEntries(Object.entries(input).map(([name, value]) => [name, maskedInput(value)]))
}

/**
 * Where a schema has dropped an entry silently: the only name that it cannot keep is that of the prototype. Null if
 * everything was kept.
 */
function droppedName(input: unknown, output: unknown): string[] | null {
  if (input === output || typeof input !== 'object' || input === null) return null
  if (typeof output !== 'object' || output === null) return null
  if (Object.hasOwn(input, '__proto__') && !Object.hasOwn(output, '__proto__')) return ['__proto__']
  for (const name in input) {
    const below = droppedName((input as Values)[name], (output as Values)[name])
    if (below !== null) return [name, ...below]
  }
  return null
}

type Values = Record<string, unknown>

function reservedName(place: readonly string[], part: string): AlmanacError {
  const path = truncateInput(pointer(...place))
  const message = 'The name "__proto__" is reserved. Choose a different name.'
  return new AlmanacError('request.malformed', `${path} of the ${part}: ${message}`, {
    details: [{ in: part, path, message }],
  })
}

function malformedRequest(
  schema: z.ZodType,
  input: unknown,
  { issues: allIssues, total }: ListIssues,
  part: string,
): AlmanacError {
  const firstIssues = allIssues.slice(0, maxIssues)
  const opened = firstIssues.flatMap(flattenUnionIssues)
  const issues = opened.flatMap((issue) =>
    issueMessages(schema, input, issue, part).map(({ path, message }): RequestIssue => ({
      in: part,
      path: truncateInput(pointer(...path.map(String))),
      message,
    })),
  )
  const [first] = issues
  const others = total - firstIssues.length + opened.length - 1
  const more =
    others > 0
      ? ` There ${others === 1 ? 'is' : 'are'} ${others} more${others >= maxIssues ? `; the first ${maxIssues} are in details.` : '; see details.'}`
      : ''
  return new AlmanacError('request.malformed', `${first?.message ?? `The ${part} is not valid.`}${more}`, {
    details: issues.slice(0, maxIssues),
  })
}

/** Maximum number of issues in one refusal: a body with many faults must not cause an even larger response. */
const maxIssues = 100

/** An object with unknown keys is one issue of the schema, but one issue for each key here. */
function countOf(issue: z.core.$ZodIssue): number {
  return issue.code === 'unrecognized_keys' ? issue.keys.length : 1
}
