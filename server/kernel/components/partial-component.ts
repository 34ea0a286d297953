// Extracts the part of a component without schema faults, so that rules can still check it.
import type { Component } from './body-types.ts'
import type { ComponentType } from './component.ts'
import { pointer } from './pointer.ts'
import { roomOf } from './registry.ts'
import { valueAt } from './schema-lookup.ts'

/** Plain data, so that it can be sent to a worker. */
export interface PartialComponent {
  /** The remaining part; ignore the properties in the list below. */
  component: Component
  /** Properties of the body that are or contain faults. */
  invalidProperties: string[]
  /** For lists with independent items: the original indexes of the remaining items. */
  items: Record<string, number[]>
}

type Path = readonly PropertyKey[]
type Body = Record<string, unknown>

/** Each round removes at least one fault; a fault can hide more faults. */
const mostRounds = 20

/** Returns null if the whole body is faulty, or a missing property has no substitute. */
export function parsePartialComponent(
  type: Exclude<ComponentType, 'config_entry'>,
  envelope: { key: string; label?: unknown; body?: unknown },
): PartialComponent | null {
  const { key, label, body } = envelope
  if (typeof body !== 'object' || body === null || Array.isArray(body)) return null
  const room = roomOf(type)
  const gone = new Set<string>()
  const stand: Body = {}
  for (let round = 0; round < mostRounds; round += 1) {
    const left = { ...(omitPaths(body, '', gone) as Body), ...stand }
    const parsed = room.body.safeParse(left)
    if (parsed.success) {
      const component = { type, key, label: typeof label === 'string' ? label : key, body: parsed.data }
      const lists = room.independentLists ?? []
      return {
        component: component as Component,
        invalidProperties: invalidPropertiesOf(body as Body, gone, stand, lists),
        items: Object.fromEntries(lists.map((name) => [name, keptItems(body, pointer(name), gone)])),
      }
    }
    // The issues are about what was left before this round.
    const before = new Set(gone)
    const keptIn = keptItemsOf(body, before)
    for (const path of parsed.error.issues.flatMap(placesOf)) {
      const place = nearest(body, path, before, keptIn)
      if (place !== '') gone.add(place)
      else {
        const name = String(path[0])
        const example = (room.doc.example as Body)[name]
        if (path.length === 0 || example === undefined || Object.hasOwn(stand, name)) return null
        stand[name] = example
      }
    }
  }
  return null
}

function placesOf(issue: { code: string; path: Path; keys?: unknown }): Path[] {
  return issue.code === 'unrecognized_keys'
    ? (issue.keys as string[]).map((name) => [...issue.path, name])
    : [issue.path]
}

type KeptItems = (list: string) => number[]

/** Returns the place before anything was removed; for a missing property, the place of its parent. */
function nearest(body: unknown, path: Path, gone: ReadonlySet<string>, keptIn: KeptItems): string {
  let part = body
  let nearestPath = ''
  for (const step of path) {
    const name = Array.isArray(part) ? keptIn(nearestPath)[Number(step)] : String(step)
    if (typeof part !== 'object' || part === null || name === undefined || !Object.hasOwn(part, name)) break
    if (gone.has(nearestPath + pointer(name))) break
    part = (part as Record<PropertyKey, unknown>)[name]
    nearestPath += pointer(name)
  }
  return nearestPath
}

/** Finds the kept items of each list once; the pointers of issues count only those. */
function keptItemsOf(body: unknown, gone: ReadonlySet<string>): KeptItems {
  const found = new Map<string, number[]>()
  return (list) => {
    const kept = found.get(list) ?? keptItems(body, list, gone)
    found.set(list, kept)
    return kept
  }
}

function keptItems(body: unknown, list: string, gone: ReadonlySet<string>): number[] {
  const value = valueAt(body, stepsOf(list))
  return Array.isArray(value)
    ? Array.from(value.keys()).filter((index) => !gone.has(list + pointer(index)))
    : []
}

/** A faulty item of an independent list does not block the others. A null means "absent". */
function invalidPropertiesOf(
  body: Body,
  gone: ReadonlySet<string>,
  stand: Body,
  lists: readonly string[],
): string[] {
  const names = [...gone].flatMap((place) => {
    const steps = stepsOf(place)
    const [name = ''] = steps
    return (steps.length > 1 && lists.includes(name)) || valueAt(body, steps) === null ? [] : [name]
  })
  return [...new Set([...names, ...Object.keys(stand)])]
}

function stepsOf(place: string): string[] {
  return place
    .split('/')
    .slice(1)
    .map((step) => step.replaceAll('~1', '/').replaceAll('~0', '~'))
}

function omitPaths(part: unknown, at: string, gone: ReadonlySet<string>): unknown {
  const isKept = (name: string | number): boolean => !gone.has(at + pointer(name))
  if (Array.isArray(part))
    return part.flatMap((item, index) => (isKept(index) ? [omitPaths(item, at + pointer(index), gone)] : []))
  if (typeof part !== 'object' || part === null) return part
  const names = Object.entries(part).filter(([name]) => isKept(name))
  return Object.fromEntries(names.map(([name, value]) => [name, omitPaths(value, at + pointer(name), gone)]))
}
