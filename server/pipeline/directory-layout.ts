// Where a component lies in a retrieved directory, and how it is written there (completions 1).
import type { Component } from '#kernel/components/body-types.ts'
import {
  componentTypes,
  explainKey,
  isComponentType,
  type ComponentId,
  type ComponentType,
} from '#kernel/components/component.ts'
import { AlmanacError } from '#kernel/errors/almanac-error.ts'

export const manifestName = 'almanac.json'

/** What a retrieve says of its origin; a later apply takes its base from it. */
export interface Manifest {
  lineage: string
  generation: number
}

/**
 * `config_entry/vat_rate/de_2021.json`, `object/invoice.json`. The one place where a path is made, and only of an id that
 * is valid, so that no text from outside names a path. @throws AlmanacError files.invalid
 */
export function pathOf(type: ComponentType, key: string): string {
  const reason = isComponentType(type)
    ? explainKey(type, String(key))
    : `"${String(type)}" is not a component type.`
  if (reason !== null)
    throw new AlmanacError('files.invalid', `${JSON.stringify(`${type}/${key}`)} has no file: ${reason}`)
  return `${type}/${type === 'config_entry' ? key.replace('.', '/') : key}.json`
}

/** The id that belongs at a path, or null where nothing does. */
export function idAt(path: string): ComponentId | null {
  const [type, ...rest] = path.replace(/\.json$/, '').split('/')
  if (!path.endsWith('.json') || !(componentTypes as readonly string[]).includes(type!)) return null
  if (rest.length !== (type === 'config_entry' ? 2 : 1)) return null
  const key = rest.join('.')
  return explainKey(type as ComponentType, key) === null ? `${type as ComponentType}/${key}` : null
}

/** The file of a component: sorted keys, two spaces, a final newline. */
export function fileText(component: Component): string {
  const { type, key, label, body } = component
  return `${JSON.stringify(sorted({ type, key, label, body }), null, 2)}\n`
}

export function manifestText(manifest: Manifest): string {
  return `${JSON.stringify(sorted(manifest), null, 2)}\n`
}

function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted)
  if (typeof value !== 'object' || value === null) return value
  const names = Object.keys(value).sort()
  return Object.fromEntries(names.map((name) => [name, sorted((value as Record<string, unknown>)[name])]))
}
