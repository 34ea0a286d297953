// Which bodies are sent at their full size, and which with a few values only or not at all, because the same code has
// read a body of their kind that was at least as large.
import type { Budget } from '../../server/http/budget.ts'
import type { Route } from '../../server/http/route.ts'

const fewBytes = 256 * 1024
const fewElements = 10_000

/**
 * Kinds whose size is seen only by the function that reads bodies (server/http/parse-body.ts): it refuses them, or
 * returns a small body. It is the same function for every route, and all that differs are the two limits; at a lower
 * limit it does the first part of the same work. So a body is full only if one of its limits is higher than those of
 * each full body before it. Bodies of other kinds reach the schema and the handler of their route; see `keyOf`.
 */
const readingKinds: ReadonlySet<string> = new Set([
  'nothing but brackets',
  'a number of very many digits',
  'a text without an end',
  'more properties than an object can have',
  'objects of as many properties as they can have',
  'one property again and again',
  'a long name over many',
  'white space',
])

export class BodySizes {
  readonly #full = new Map<string, Budget[]>()
  readonly #everything: boolean
  #texts = 0

  /** `everything`: all bodies of few values are sent. */
  constructor(everything: boolean) {
    this.#everything = everything
  }

  /** The budget to fill with a body of this kind; undefined if it is not sent. */
  next(kind: string, route: Route, budget: Budget): Budget | undefined {
    const key = keyOf(kind, route, budget)
    const earlier = this.#full.get(key) ?? []
    if (earlier.some((each) => !isReadFurther(kind, budget, each))) {
      if (!this.#everything && !this.#isSent(kind)) return undefined
      return {
        ...budget,
        bytes: Math.min(budget.bytes, fewBytes),
        elements: Math.min(budget.elements, fewElements),
      }
    }
    this.#full.set(key, [...earlier, budget])
    return budget
  }

  /** Whether a body of few values is sent. */
  #isSent(kind: string): boolean {
    if (readingKinds.has(kind)) return false
    if (!kind.startsWith('"')) return true
    this.#texts += 1
    return this.#texts % textsApart === 0
  }
}

/** One text in four is sent. A place has three, so the next place gets a different one. */
const textsApart = 4

/** A lane is a thread; a route that prepares its request also reads the body on the main thread. */
function keyOf(kind: string, route: Route, { elements, lane }: Budget): string {
  const prepares = route.access === 'signed_in' && route.prepare !== undefined
  const read = `${kind.split(' at ')[0]!} ${lane} ${prepares ? 'prepared' : ''}`
  return readingKinds.has(kind) ? read : `${read} ${elements}`
}

function isReadFurther(kind: string, { bytes, elements }: Budget, earlier: Budget): boolean {
  return readingKinds.has(kind) && (bytes > earlier.bytes || elements > earlier.elements)
}
