// What of a component that does not fit its shape can still be judged: all that lies beside its faults (specification 7).
import type { Component } from './body-types.ts'
import type { ComponentType } from './component.ts'
import { pointer } from './pointer.ts'
import { roomOf } from './registry.ts'
import { valueAt } from './schema-place.ts'

/** Plain data, so that it may go to a worker. */
export interface PartOfComponent {
  /** What is left; what stands in `untold` says nothing. */
  component: Component
  /** Properties of the body that are at fault, or hold what is. */
  untold: string[]
  /** Of lists whose items count each for itself: where the items that are left stood. */
  items: Record<string, number[]>
}

type Path = readonly PropertyKey[]
type Body = Record<string, unknown>

/** Each round takes at least one fault away; a fault may lie beneath another. */
const mostRounds = 20

/** Null where the whole body is at fault, or a property is absent for which nothing can stand. */
export function partOfComponent(
  type: Exclude<ComponentType, 'config_entry'>,
  envelope: { key: string; label?: unknown; body?: unknown },
): PartOfComponent | null {
  const { key, label, body } = envelope
  if (typeof body !== 'object' || body === null || Array.isArray(body)) return null
  const room = roomOf(type)
  const gone = new Set<string>()
  const stand: Body = {}
  for (let round = 0; round < mostRounds; round += 1) {
    const left = { ...(without(body, '', gone) as Body), ...stand }
    const parsed = room.body.safeParse(left)
    if (parsed.success) {
      const component = { type, key, label: typeof label === 'string' ? label : key, body: parsed.data }
      const lists = room.independent ?? []
      return {
        component: component as Component,
        untold: untoldOf(body as Body, gone, stand, lists),
        items: Object.fromEntries(lists.map((name) => [name, keptItems(body, pointer(name), gone)])),
      }
    }
    for (const path of parsed.error.issues.flatMap(placesOf)) {
      const place = nearest(body, path, gone)
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

/** Where the place stood before anything was left out; of what is missing, what it is missing in. */
function nearest(body: unknown, path: Path, gone: ReadonlySet<string>): string {
  let part = body
  let found = ''
  for (const step of path) {
    const name = Array.isArray(part) ? keptItems(body, found, gone)[Number(step)] : String(step)
    if (typeof part !== 'object' || part === null || name === undefined || !Object.hasOwn(part, name)) break
    if (gone.has(found + pointer(name))) break
    part = (part as Record<PropertyKey, unknown>)[name]
    found += pointer(name)
  }
  return found
}

function keptItems(body: unknown, list: string, gone: ReadonlySet<string>): number[] {
  const value = valueAt(body, stepsOf(list))
  return Array.isArray(value)
    ? Array.from(value.keys()).filter((index) => !gone.has(list + pointer(index)))
    : []
}

/** An item that is at fault keeps no other from being judged, where each counts for itself. A null stands for nothing. */
function untoldOf(body: Body, gone: ReadonlySet<string>, stand: Body, lists: readonly string[]): string[] {
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

function without(part: unknown, at: string, gone: ReadonlySet<string>): unknown {
  const kept = (name: string | number): boolean => !gone.has(at + pointer(name))
  if (Array.isArray(part))
    return part.flatMap((item, index) => (kept(index) ? [without(item, at + pointer(index), gone)] : []))
  if (typeof part !== 'object' || part === null) return part
  const names = Object.entries(part).filter(([name]) => kept(name))
  return Object.fromEntries(names.map(([name, value]) => [name, without(value, at + pointer(name), gone)]))
}
