// Checks the long lists of a request or a component in parts: a million faulty items must not become a million issues in memory.
import { z } from 'zod'

/** Items in one part, and the length from which a list is checked in parts. */
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
 * Returns the issues of the items in the long lists of an input.
 * @param most maximum number of issues that are kept; all are counted
 * @param countOf the count of one issue
 */
export function longListIssues(
  schema: z.core.$ZodType,
  input: unknown,
  { most, countOf }: { most: number; countOf: (issue: z.core.$ZodIssue) => number },
): ListIssues {
  const result: ListIssues = { issues: [], total: 0 }
  if (!canHaveLists(schema)) return result
  for (const { element, items, path } of longLists(schema, input, [])) {
    const part = z.array(element)
    const types = typesOf(element)
    for (let at = 0; at < items.length; at += partSize) {
      let chunk = items.slice(at, at + partSize)
      // Once enough issues are kept, an item of a wrong type is only counted.
      if (types !== null && result.issues.length >= most) {
        const ofType = chunk.filter((item) => item !== null && types.has(typeof item))
        result.total += chunk.length - ofType.length
        chunk = ofType
      }
      const { error } = part.safeParse(chunk)
      for (const issue of error?.issues ?? []) {
        result.total += countOf(issue)
        const [index, ...rest] = issue.path as [number, ...PropertyKey[]]
        if (result.issues.length < most)
          result.issues.push({ ...issue, path: [...path, at + index, ...rest] } as z.core.$ZodIssue)
      }
    }
  }
  return result
}

const withLists = new WeakMap<z.core.$ZodType, boolean>()

/** Whether an input of a schema can contain a list at all, as parameters and most queries cannot. */
function canHaveLists(schema: z.core.$ZodType): boolean {
  let known = withLists.get(schema)
  if (known === undefined) withLists.set(schema, (known = declaresLists(schema)))
  return known
}

function declaresLists(schema: z.core.$ZodType): boolean {
  const { def } = schema._zod as { def: z.core.$ZodTypes['_zod']['def'] }
  if (def.type === 'optional' || def.type === 'nullable' || def.type === 'default')
    return declaresLists(def.innerType)
  if (def.type === 'union') return def.options.some(declaresLists)
  if (def.type === 'object') return Object.values(def.shape).some(declaresLists)
  return def.type === 'array'
}

/** Returns the types of values that an element accepts; null if they are unknown, or if it accepts null. */
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
      // If the schema allows two lists, an item that one refuses can be valid in the other.
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
