// Explains a refused request: place, problem, way out; with the same sentences as for components.
import type { z } from 'zod'
import { AlmanacError } from '#kernel/errors/almanac-error.ts'
import { pointer } from '#kernel/components/pointer.ts'
import { openedIssues, schemaWords } from '#kernel/components/schema-words.ts'
import { cutWords } from '#kernel/errors/cut-words.ts'
import { longListIssues, type ListIssues } from './long-lists.ts'

export interface RequestIssue {
  /** `body`, `query`, `path`. */
  in: string
  /** JSON pointer to the place. */
  path: string
  message: string
}

/** Parses an input with a schema. @throws AlmanacError `request.malformed` with every issue in `details`. */
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
  const kept = found.slice(0, mostIssues)
  const opened = kept.flatMap(openedIssues)
  const issues = opened.flatMap((issue) =>
    schemaWords(schema, input, issue, part).map(({ path, message }): RequestIssue => ({
      in: part,
      path: cutWords(pointer(...path.map(String))),
      message,
    })),
  )
  const [first] = issues
  const others = total - kept.length + opened.length - 1
  const more =
    others > 0
      ? ` There ${others === 1 ? 'is' : 'are'} ${others} more${others >= mostIssues ? `; the first ${mostIssues} are in details.` : '; see details.'}`
      : ''
  return new AlmanacError('request.malformed', `${first?.message ?? `The ${part} is not valid.`}${more}`, {
    details: issues.slice(0, mostIssues),
  })
}

/** Maximum number of issues in one refusal: a body with many faults must not cause an even larger response. */
const mostIssues = 100

/** An object with unknown keys is one issue of the schema, but one issue for each key here. */
function countOf(issue: z.core.$ZodIssue): number {
  return issue.code === 'unrecognized_keys' ? issue.keys.length : 1
}
