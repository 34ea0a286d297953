// The props and events that all widgets of a form share.
import type { FieldDescriptor } from '#kernel/components/form.ts'
import type { ComponentType } from '#kernel/components/component.ts'
import type { Finding, JsonObject } from '../api/wire.ts'
import type { Component, InjectionKey } from 'vue'

export interface WidgetProps {
  field: FieldDescriptor
  /** The value at the field's path; undefined if absent. */
  value: unknown
  /** The object that contains the field, for fields that depend on a neighbour. */
  holder: JsonObject
  /** Id of the control that the label refers to. */
  id: string
  invalid: boolean
  /** The default for an absent value. */
  fallback?: unknown
  /** JSON pointer of the field in the envelope. */
  pointer: string
}

export interface FormPlace {
  type: ComponentType
  key: string
  /** The component and its body, as typed. */
  envelope: () => JsonObject
  body: () => JsonObject
  /** The findings of a place; if `exact`, without those below it. */
  findingsAt: (pointer: string, exact: boolean) => Finding[]
  /** Whether the active component differs at this place. */
  changedAt: (pointer: string) => boolean
  /** Whether the user can only view the component. */
  locked: () => boolean
}

/** The context of a form, for information that is not in the descriptor. */
export const formPlace: InjectionKey<FormPlace> = Symbol('form')

/**
 * The component of one field, injected here because groups and grids contain fields and a direct import would be
 * circular.
 */
export const fieldComponent: InjectionKey<Component> = Symbol('field')

/** The part of a value at a path of names such as `keyedBy.type`. */
export function partAt(holder: unknown, path: string): unknown {
  return path.split('.').reduce<unknown>((part, name) => (isObject(part) ? part[name] : undefined), holder)
}

/** Returns a copy of `holder` with the part at the path set, or removed if `undefined`. */
export function withPart(holder: JsonObject, path: string, value: unknown): JsonObject {
  const [name = '', ...rest] = path.split('.')
  const { [name]: old, ...others } = holder
  if (rest.length > 0) {
    const inner = withPart(isObject(old) ? old : {}, rest.join('.'), value)
    return { ...holder, [name]: inner }
  }
  return value === undefined ? others : { ...holder, [name]: value as JsonObject }
}

export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** Whether a field applies with its neighbours' values. */
export function isApplicable(field: FieldDescriptor, holder: JsonObject): boolean {
  if (field.when === undefined) return true
  const value = partAt(holder, field.when.path)
  const given = value ?? defaults[field.when.path]
  return field.when.in.some((each) => each === given)
}

/**
 * Whether a form shows a field; a value that does not belong there stays visible, so it can be removed. A switch that is
 * off has nothing to remove.
 */
export function isVisible(field: FieldDescriptor, holder: JsonObject): boolean {
  const value = partAt(holder, field.path)
  return isApplicable(field, holder) || (value != null && value !== false)
}

/** The effective value of an absent neighbour. */
const defaults: Record<string, string | boolean> = { storage: 'local', effectiveDated: false }

export const asText = (value: unknown): string =>
  typeof value === 'string'
    ? value
    : value === undefined || value === null
      ? ''
      : typeof value === 'object'
        ? JSON.stringify(value)
        : String(value)
export const asNames = (value: unknown): string[] =>
  Array.isArray(value)
    ? value.filter((each): each is string => typeof each === 'string')
    : typeof value === 'string' && value !== ''
      ? [value]
      : []
export const orNothing = (text: string): string | undefined => (text === '' ? undefined : text)
