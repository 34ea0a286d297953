// Long lists of a request, checked in parts: a million faulty items must not be a million issues in memory.
import { z } from 'zod'

/** Items of one part, and the length from which a list is checked in parts. */
const partSize = 1000

export interface ListIssues {
  /** The first of them. */
  issues: z.core.$ZodIssue[]
  total: number
}

interface LongList {
  element: z.core.$ZodType
  items: readonly unknown[]
  path: PropertyKey[]
}

/**
 * What is wrong with the items of the long lists of an input.
 * @param most issues that are kept; all are counted
 * @param countOf what one issue counts for
 */
export function longListIssues(
  schema: z.core.$ZodType,
  input: unknown,
  { most, countOf }: { most: number; countOf: (issue: z.core.$ZodIssue) => number },
): ListIssues {
  const found: ListIssues = { issues: [], total: 0 }
  for (const { element, items, path } of longLists(schema, input, [])) {
    const part = z.array(element)
    const types = typesOf(element)
    for (let at = 0; at < items.length; at += partSize) {
      let given = items.slice(at, at + partSize)
      // Once enough issues are kept, an item of a wrong type only adds to their number.
      if (types !== null && found.issues.length >= most) {
        const ofType = given.filter((item) => item !== null && types.has(typeof item))
        found.total += given.length - ofType.length
        given = ofType
      }
      const { error } = part.safeParse(given)
      for (const issue of error?.issues ?? []) {
        found.total += countOf(issue)
        const [index, ...rest] = issue.path as [number, ...PropertyKey[]]
        if (found.issues.length < most)
          found.issues.push({ ...issue, path: [...path, at + index, ...rest] } as z.core.$ZodIssue)
      }
    }
  }
  return found
}

/** The types of values that an element takes; null if that cannot be said, or if it takes null. */
function typesOf(element: z.core.$ZodType): ReadonlySet<string> | null {
  const { def } = element._zod as { def: z.core.$ZodTypes['_zod']['def'] }
  if (def.type === 'object') return new Set(['object'])
  if (def.type === 'string' || def.type === 'template_literal') return new Set(['string'])
  if (def.type !== 'union') return null
  const options = def.options.map(typesOf)
  return options.includes(null) ? null : new Set(options.flatMap((types) => [...types!]))
}

function* longLists(schema: z.core.$ZodType, input: unknown, path: PropertyKey[]): Iterable<LongList> {
  if (typeof input !== 'object' || input === null) return
  const { def } = schema._zod as { def: z.core.$ZodTypes['_zod']['def'] }
  switch (def.type) {
    case 'optional':
    case 'nullable':
    case 'default':
      return yield* longLists(def.innerType, input, path)
    case 'union': {
      // Of two lists, an item that one refuses may be right in the other.
      const lists = def.options.filter(({ _zod }) => _zod.def.type === 'array')
      if (lists.length === 1) yield* longLists(lists[0]!, input, path)
      return
    }
    case 'object':
      for (const [name, inner] of Object.entries(def.shape))
        yield* longLists(inner, (input as Record<string, unknown>)[name], [...path, name])
      return
    case 'array':
      if (Array.isArray(input) && input.length > partSize && def.element._zod.def.type !== 'unknown')
        yield { element: def.element, items: input, path }
  }
}
