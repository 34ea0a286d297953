/** The canonical form of a component: RFC 8785 JSON. See docs/reference/bindings-and-evidence.md. */

/** The values that JSON supports: no undefined, no class instances, no infinities. */
export type JsonValue =
  null | boolean | number | string | readonly JsonValue[] | { readonly [key: string]: JsonValue }

/** Components have only a few levels; the bound turns a cycle into a message instead of a stack overflow. */
const MAX_DEPTH = 1000

/**
 * Returns the RFC 8785 text of a value. Equal values give equal text on any machine, in any order of their keys.
 * Throws a TypeError with the place (as a JSON pointer) if the value is not JSON: undefined, NaN, an infinity,
 * a lone surrogate, a bigint, a function or a class instance.
 */
export function canonicalJson(value: JsonValue): string {
  if (isInOrder(value, 0)) return JSON.stringify(value)
  const text = write(value, 0)
  if (text !== null) return text
  const fault = findFault(value, 0)!
  const place = fault.path.length === 0 ? 'The value' : `The value at ${pointer(fault.path)}`
  throw new TypeError(`${place} cannot be written as canonical JSON: ${fault.reason}.`)
}

/**
 * Reports whether every object already has its keys in canonical order, as in retrieved files: the text of JSON.stringify
 * is then canonical, and several times faster. Also false if a value is not JSON.
 */
function isInOrder(value: unknown, depth: number): boolean {
  switch (typeof value) {
    case 'string':
      return value.isWellFormed()
    case 'number':
      return Number.isFinite(value)
    case 'boolean':
      return true
    case 'object':
      if (value === null) return true
      if (depth >= MAX_DEPTH) return false
      return Array.isArray(value) ? areInOrder(value, depth) : isObjectInOrder(value, depth)
    default:
      return false
  }
}

function areInOrder(items: readonly unknown[], depth: number): boolean {
  for (let i = 0; i < items.length; i++) if (!isInOrder(items[i], depth + 1)) return false
  return true
}

function isObjectInOrder(object: object, depth: number): boolean {
  const prototype: unknown = Object.getPrototypeOf(object)
  if (prototype !== Object.prototype && prototype !== null) return false
  let last: string | null = null
  for (const key in object) {
    if (last !== null && key <= last) return false
    if (!key.isWellFormed() || !isInOrder((object as Record<string, unknown>)[key], depth + 1)) return false
    last = key
  }
  return true
}

// eslint-disable-next-line no-control-regex -- RFC 8785 escapes control characters
const needsEscape = /[\u0000-\u001f"\\\ud800-\udfff]/

/** Builds the text in one pass; null if a value is not JSON, which `findFault` then reports. */
function write(value: unknown, depth: number): string | null {
  switch (typeof value) {
    case 'string':
      return quoteText(value)
    case 'number':
      return Number.isFinite(value) ? JSON.stringify(value) : null
    case 'boolean':
      return value ? 'true' : 'false'
    case 'object':
      if (value === null) return 'null'
      if (depth >= MAX_DEPTH) return null
      return Array.isArray(value) ? writeArray(value, depth) : writeObject(value, depth)
    default:
      return null
  }
}

function writeArray(items: readonly unknown[], depth: number): string | null {
  let text = '['
  for (let i = 0; i < items.length; i++) {
    const item = write(items[i], depth + 1)
    if (item === null) return null
    text += i === 0 ? item : `,${item}`
  }
  return `${text}]`
}

function writeObject(object: object, depth: number): string | null {
  const prototype: unknown = Object.getPrototypeOf(object)
  if (prototype !== Object.prototype && prototype !== null) return null
  // Array.sort orders by UTF-16 code units, as RFC 8785 requires.
  const keys = Object.keys(object).sort()
  let text = '{'
  for (let i = 0; i < keys.length; i++) {
    const key = quoteText(keys[i]!)
    const item = write((object as Record<string, unknown>)[keys[i]!], depth + 1)
    if (key === null || item === null) return null
    text += i === 0 ? `${key}:${item}` : `,${key}:${item}`
  }
  return `${text}}`
}

function quoteText(text: string): string | null {
  if (!needsEscape.test(text)) return `"${text}"`
  return text.isWellFormed() ? JSON.stringify(text) : null
}

interface Fault {
  /** Steps from the innermost outwards; reversed when written. */
  readonly path: (string | number)[]
  readonly reason: string
}

// Only for the message: JSON.stringify silently drops values that JSON does not support; a digest must not.
function findFault(value: unknown, depth: number): Fault | null {
  switch (typeof value) {
    case 'boolean':
      return null
    case 'string':
      return value.isWellFormed()
        ? null
        : fault('its text contains half of a surrogate pair, which is not valid Unicode')
    case 'number':
      return Number.isFinite(value) ? null : fault(`${value} is not a JSON number`)
    case 'object':
      return value === null ? null : findFaultInside(value, depth)
    case 'undefined':
      return fault('it is undefined; omit the property, or write null')
    case 'bigint':
      return fault('a bigint is not a JSON number; write it as text')
    default:
      return fault(`a ${typeof value} is not JSON`)
  }
}

function findFaultInside(container: object, depth: number): Fault | null {
  if (depth >= MAX_DEPTH) return fault(`it is nested deeper than ${MAX_DEPTH} levels, or refers to itself`)
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
      : fault('its name contains half of a surrogate pair, which is not valid Unicode')
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
