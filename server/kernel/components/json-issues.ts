// Finds what no component can contain: half a character, a property named after the prototype, endless nesting.
import type { FindingCode } from '../errors/finding-codes.ts'
import { mostFindings } from './most-findings.ts'
import { pointer } from './pointer.ts'

export interface JsonIssue {
  path: string
  code: FindingCode
  message: string
}

/** The deepest nesting of a component: far deeper than any body, and shallow enough for recursive readers. */
export const maxNesting = 200

/** The most properties of one object: more than any body has, and few enough to be listed and checked one by one. */
export const maxProperties = 100_000

interface Place {
  value: object
  /** Of its property, or its index. */
  name: string | number
  owner: Place | null
  depth: number
}

/**
 * Returns the faults of a JSON value; a few more than can be listed if there are many. A value that is nested too deeply
 * is not read further; see `tooDeep`.
 */
export function findJsonIssues(json: object): { faults: JsonIssue[]; tooDeep: boolean } {
  const faults: JsonIssue[] = []
  const report = (path: string[], code: FindingCode, message: string, place: Place): void => {
    if (faults.length <= mostFindings) faults.push({ path: pathOf(place, ...path), code, message })
  }
  const open: Place[] = [{ value: json, name: '', owner: null, depth: 1 }]
  const look = (place: Place, name: string | number, value: unknown): void => {
    if (typeof value === 'string') {
      if (!value.isWellFormed())
        report([String(name)], 'body.format', `"${String(name).toWellFormed()}" ${half}`, place)
    } else if (typeof value === 'object' && value !== null)
      open.push({ value, name, owner: place, depth: place.depth + 1 })
  }
  for (let place = open.pop(); place !== undefined; place = open.pop()) {
    if (place.depth > maxNesting)
      return {
        faults: [...faults, { path: '', code: 'body.range', message: tooDeepMessage }],
        tooDeep: true,
      }
    if (Array.isArray(place.value)) {
      // The name of each index would be a text.
      for (let at = 0; at < place.value.length; at += 1) look(place, at, place.value[at])
      continue
    }
    for (const name of Object.keys(place.value)) {
      if (name === '__proto__') report([name], 'body.unknown_property', reservedMessage, place)
      if (!name.isWellFormed()) report([], 'body.format', `The name of a property ${half}`, place)
      look(place, name, (place.value as Record<string, unknown>)[name])
    }
  }
  return { faults, tooDeep: false }
}

const reservedMessage = 'The name "__proto__" is reserved. Choose a different name.'

export const tooDeepMessage = `The component is nested more than ${maxNesting} levels deep, which no component needs. Remove some of the brackets.`

export const tooWideMessage = `is one property too many: an object has at most ${maxProperties.toLocaleString('en')}. Remove some of them.`

const half = 'contains an unpaired surrogate (\\ud800 to \\udfff). Write the complete character.'

function pathOf(place: Place, ...last: string[]): string {
  const names = [...last]
  for (let each = place; each.owner !== null; each = each.owner) names.unshift(String(each.name))
  return pointer(...names)
}
