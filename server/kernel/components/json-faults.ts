// What no component may hold, whatever its type: half a character, a property that names a prototype, nesting without end.
import type { FindingCode } from '../errors/finding-codes.ts'
import { pointer } from './pointer.ts'

export interface JsonFault {
  path: string
  code: FindingCode
  message: string
}

/** Deepest nesting of a component: far beyond any room's shape, and shallow enough for every reader of trees. */
export const mostNesting = 200

interface Place {
  value: object
  name: string
  owner: Place | null
  depth: number
}

/** Every fault in a JSON value. One that is nested too deeply is not read further; `tooDeep` says so. */
export function jsonFaults(json: object): { faults: JsonFault[]; tooDeep: boolean } {
  const faults: JsonFault[] = []
  const open: Place[] = [{ value: json, name: '', owner: null, depth: 1 }]
  for (let place = open.pop(); place !== undefined; place = open.pop()) {
    if (place.depth > mostNesting)
      return {
        faults: [...faults, { path: '', code: 'body.range', message: tooDeepMessage }],
        tooDeep: true,
      }
    for (const name of Object.keys(place.value)) {
      const value = (place.value as Record<string, unknown>)[name]
      if (name === '__proto__')
        faults.push({
          path: pathOf(place, name),
          code: 'body.unknown_property',
          message: '"__proto__" is a name that nothing here may have. Choose another.',
        })
      if (!name.isWellFormed())
        faults.push({
          path: pathOf(place),
          code: 'body.format',
          message: `The name of a property ${half}`,
        })
      if (typeof value === 'string') {
        if (!value.isWellFormed())
          faults.push({
            path: pathOf(place, name),
            code: 'body.format',
            message: `"${name.toWellFormed()}" ${half}`,
          })
      } else if (typeof value === 'object' && value !== null)
        open.push({ value, name, owner: place, depth: place.depth + 1 })
    }
  }
  return { faults, tooDeep: false }
}

export const tooDeepMessage = `The component is nested more than ${mostNesting} levels deep, which no component needs. Remove brackets.`

const half = 'holds half of a character: a \\ud800 to \\udfff without its other half. Write the whole one.'

function pathOf(place: Place, ...last: string[]): string {
  const names = [...last]
  for (let each = place; each.owner !== null; each = each.owner) names.unshift(each.name)
  return pointer(...names)
}
