// Resolves the references of a bundle, which are all `#/components/…`.
import { isList, isObject, memberOf, type JsonObject, type JsonValue } from '../json.ts'
import { referenceOf } from './grammar.ts'

/** Returns the value at a reference of a bundle; null (a value that no part has) if it does not exist. */
export function resolveReference(bundle: JsonObject, reference: string): JsonValue {
  let value: JsonValue = bundle
  for (const step of reference.slice(2).split('/')) {
    const name = decode(step).replaceAll('~1', '/').replaceAll('~0', '~')
    const next: JsonValue | undefined = isObject(value)
      ? memberOf(value, name)
      : isList(value)
        ? value[Number(name)]
        : undefined
    if (next === undefined) return null
    value = next
  }
  return value
}

function decode(text: string): string {
  return text.includes('%') && /%[0-9a-f]{2}/i.test(text) ? safeDecode(text) : text
}

function safeDecode(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

const mostHops = 100

/** Returns a part other than a schema, behind its references; an empty object if it leads nowhere. */
export function resolvePart(bundle: JsonObject, part: JsonValue | undefined): JsonObject {
  let value = part
  for (let hops = 0; hops < mostHops; hops += 1) {
    if (value === undefined || !isObject(value)) return {}
    const reference = referenceOf(value)
    if (reference === undefined) return value
    value = resolveReference(bundle, reference)
  }
  return {}
}
