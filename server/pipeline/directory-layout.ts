// The path and the format of a component in a retrieved directory.
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

/** Records the origin of a retrieve; a later apply takes its base from it. */
export interface Manifest {
  lineage: string
  generation: number
}

/**
 * Returns `config_entry/vat_rate/de_2021.json` or `object/invoice.json`. This is the only place that creates a path,
 * and only from a valid id, so that no outside text can choose a path. @throws AlmanacError files.invalid
 */
export function pathOf(type: ComponentType, key: string): string {
  const reason = isComponentType(type)
    ? explainKey(type, String(key))
    : `"${String(type)}" is not a component type.`
  if (reason !== null)
    throw new AlmanacError(
      'files.invalid',
      `${JSON.stringify(`${type}/${key}`)} cannot have a file: ${reason}`,
    )
  return `${type}/${type === 'config_entry' ? key.replace('.', '/') : key}.json`
}

/** The id that belongs to a path, or null if none does. */
export function idAt(path: string): ComponentId | null {
  const [type, ...rest] = path.replace(/\.json$/, '').split('/')
  if (!path.endsWith('.json') || !(componentTypes as readonly string[]).includes(type!)) return null
  if (rest.length !== (type === 'config_entry' ? 2 : 1)) return null
  const key = rest.join('.')
  return explainKey(type as ComponentType, key) === null ? `${type as ComponentType}/${key}` : null
}

const descriptionPath = /^external_service\/([^/]+)\.openapi\.json$/

/** The file of an imported description, beside that of its external service. @throws AlmanacError files.invalid */
export function descriptionPathOf(service: string): string {
  return pathOf('external_service', service).replace(/\.json$/, '.openapi.json')
}

/** The key of the external service whose description has this path; null for any other path. */
export function describedService(path: string): string | null {
  const key = descriptionPath.exec(path)?.[1]
  return key !== undefined && explainKey('external_service', key) === null ? key : null
}

/** The file content of a description, from its bundle as JSON. */
export function descriptionFileText(bundle: string): string {
  return `${JSON.stringify(sortKeys(JSON.parse(bundle)), null, 2)}\n`
}

/** The file content of a component: sorted keys, two spaces, a final newline. */
export function fileText(component: Component): string {
  const { type, key, label, body } = component
  return `${JSON.stringify(sortKeys({ type, key, label, body }), null, 2)}\n`
}

export function manifestText(manifest: Manifest): string {
  return `${JSON.stringify(sortKeys(manifest), null, 2)}\n`
}

function sortKeys(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sortKeys)
  if (typeof value !== 'object' || value === null) return value
  const names = Object.keys(value).sort()
  return Object.fromEntries(names.map((name) => [name, sortKeys((value as Record<string, unknown>)[name])]))
}
