// Extracts the readable part of an incomplete component, so that its names are already available to the author.
import type { Component } from './body-types.ts'
import { parseComponent } from './parse.ts'
import { pointer } from './pointer.ts'

/** Each round removes at least one fault; a fault can hide more faults. */
const mostRounds = 20

/** Returns the component without its faults; null if its type, its key or the whole body is faulty. */
export function parseReadablePart(json: unknown): Component | null {
  let part = withLabel(json)
  for (let round = 0; round < mostRounds; round += 1) {
    const { component, findings } = parseComponent(part)
    if (component !== null) return component
    const places = new Set(findings.map(({ path }) => nearest(part, path)))
    if ([...places].some((place) => requiredPaths.includes(place))) return null
    part = omitPaths(part, '', places)
  }
  return null
}

/** Without these, the component cannot be read. */
const requiredPaths: readonly string[] = ['', '/type', '/key', '/body']

/** Fills in a missing label, so that the rest can be read. */
function withLabel(json: unknown): unknown {
  if (typeof json !== 'object' || json === null) return json
  const { label, key } = json as { label?: unknown; key?: unknown }
  return typeof label === 'string' && label.trim() !== '' ? json : { ...json, label: key }
}

/** Returns the place of a fault; for a missing property, the place of its parent. */
function nearest(json: unknown, path: string): string {
  let part = json
  let nearestPath = ''
  for (const step of path.split('/').slice(1)) {
    const name = step.replaceAll('~1', '/').replaceAll('~0', '~')
    if (typeof part !== 'object' || part === null || !Object.hasOwn(part, name)) break
    part = (part as Record<string, unknown>)[name]
    nearestPath += `/${step}`
  }
  return nearestPath
}

function omitPaths(part: unknown, at: string, places: ReadonlySet<string>): unknown {
  const isKept = (name: string | number): boolean => !places.has(at + pointer(name))
  if (Array.isArray(part))
    return part.flatMap((item, index) =>
      isKept(index) ? [omitPaths(item, at + pointer(index), places)] : [],
    )
  if (typeof part !== 'object' || part === null) return part
  const names = Object.entries(part).filter(([name]) => isKept(name))
  return Object.fromEntries(
    names.map(([name, value]) => [name, omitPaths(value, at + pointer(name), places)]),
  )
}
