/** The canonical form of a component: RFC 8785 JSON. Completions 3 (digest of a component). */
import canonicalize from 'canonicalize'

/** What JSON can carry, and nothing else: no undefined, no class instances, no binary infinities. */
export type JsonValue =
  null | boolean | number | string | readonly JsonValue[] | { readonly [key: string]: JsonValue }

/** A component nests a handful of levels; the bound turns a cycle into a message instead of a stack overflow. */
const MAX_DEPTH = 1000

/**
 * The RFC 8785 text of a value. Equal values give equal text on any machine, whatever the order of their keys.
 * Throws a TypeError naming the place (as a JSON pointer) where the value is not JSON: undefined, NaN, an infinity,
 * a lone surrogate, a bigint, a function or a class instance.
 */
export function canonicalJson(value: JsonValue): string {
  const fault = findFault(value, 0)
  if (fault !== null) {
    const place = fault.path.length === 0 ? 'The value' : `The value at ${pointer(fault.path)}`
    throw new TypeError(`${place} has no canonical JSON: ${fault.reason}.`)
  }
  return canonicalize(value) as string
}

interface Fault {
  /** Steps from the innermost outwards; reversed when written. */
  readonly path: (string | number)[]
  readonly reason: string
}

// `canonicalize` follows JSON.stringify and silently drops what JSON lacks; a digest must not.
function findFault(value: unknown, depth: number): Fault | null {
  switch (typeof value) {
    case 'boolean':
      return null
    case 'string':
      return value.isWellFormed()
        ? null
        : fault('its text holds half of a surrogate pair, which is not Unicode text')
    case 'number':
      return Number.isFinite(value) ? null : fault(`${value} is not a JSON number`)
    case 'object':
      return value === null ? null : findFaultInside(value, depth)
    case 'undefined':
      return fault('it is undefined; leave the property out, or write null')
    case 'bigint':
      return fault('a bigint is not a JSON number; write it as text')
    default:
      return fault(`a ${typeof value} is not JSON`)
  }
}

function findFaultInside(container: object, depth: number): Fault | null {
  if (depth >= MAX_DEPTH) return fault(`it nests deeper than ${MAX_DEPTH} levels, or refers to itself`)
  if (Array.isArray(container)) {
    for (let i = 0; i < container.length; i++) {
      const inner = findFault(container[i], depth + 1)
      if (inner !== null) return within(inner, i)
    }
    return null
  }
  const prototype: unknown = Object.getPrototypeOf(container)
  if (prototype !== Object.prototype && prototype !== null) {
    return fault(`an instance of ${container.constructor?.name ?? 'a class'} is not plain JSON`)
  }
  for (const key of Object.keys(container)) {
    const inner = key.isWellFormed()
      ? findFault((container as Record<string, unknown>)[key], depth + 1)
      : fault('its name holds half of a surrogate pair, which is not Unicode text')
    if (inner !== null) return within(inner, key)
  }
  return null
}

function fault(reason: string): Fault {
  return { path: [], reason }
}

function within(inner: Fault, step: string | number): Fault {
  inner.path.push(step)
  return inner
}

function pointer(path: readonly (string | number)[]): string {
  const steps = path.map((step) => String(step).toWellFormed().replaceAll('~', '~0').replaceAll('/', '~1'))
  return '/' + steps.reverse().join('/')
}
