// JSON values of a description. A description is never changed in place.
import type { JsonValue } from '#kernel/change/canonical.ts'

export type { JsonValue }
export type JsonObject = { readonly [name: string]: JsonValue }

export function isObject(value: JsonValue | undefined): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

export function isList(value: JsonValue | undefined): value is readonly JsonValue[] {
  return Array.isArray(value)
}

/** Returns an own member, because a member can be called `constructor`. */
export function memberOf(object: JsonObject, name: string): JsonValue | undefined {
  return Object.hasOwn(object, name) ? object[name] : undefined
}

/** Returns a member if it is an object, otherwise an empty one. */
export function objectIn(object: JsonObject, name: string): JsonObject {
  const value = memberOf(object, name)
  return isObject(value) ? value : {}
}

/** Returns a member if it is a list, otherwise an empty one. */
export function listIn(object: JsonObject, name: string): readonly JsonValue[] {
  const value = memberOf(object, name)
  return isList(value) ? value : []
}

/** Returns a member if it is a text, otherwise undefined. */
export function textIn(object: JsonObject, name: string): string | undefined {
  const value = memberOf(object, name)
  return typeof value === 'string' ? value : undefined
}
