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
    const isOfObjects = takesObjects(element)
    for (let at = 0; at < items.length; at += partSize) {
      let given = items.slice(at, at + partSize)
      // Once enough issues are kept, an item that is not an object only adds to their number.
      if (isOfObjects && found.issues.length >= most) {
        const objects = given.filter((item) => typeof item === 'object' && item !== null)
        found.total += given.length - objects.length
        given = objects
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

function takesObjects(element: z.core.$ZodType): boolean {
  const { def } = element._zod as { def: z.core.$ZodTypes['_zod']['def'] }
  return def.type === 'object' || (def.type === 'union' && def.options.every(takesObjects))
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
