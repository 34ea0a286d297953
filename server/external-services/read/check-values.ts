// Checks that a value is JSON within its budget: a list of aliases can be small as text and endless as a tree.
import { maxProperties, tooWideMessage } from '#kernel/components/json-issues.ts'
import { pointer } from '#kernel/components/pointer.ts'
import { descriptionError } from '../description-error.ts'
import type { JsonValue } from '../json.ts'
import type { DescriptionLimits } from './limits.ts'

interface Walk {
  readonly limits: DescriptionLimits
  readonly name: string
  values: number
  readonly path: (string | number)[]
}

/** @throws AlmanacError naming the place of the first value that is not JSON, is too deep, or is one too many */
export function checkValues(value: unknown, name: string, limits: DescriptionLimits): JsonValue {
  visit(value, { limits, name, values: 0, path: [] })
  return value as JsonValue
}

function visit(value: unknown, walk: Walk): void {
  walk.values += 1
  if (walk.values > walk.limits.values)
    throw fault(walk, `has more than ${walk.limits.values} values, aliases included. Import fewer at once.`)
  if (typeof value === 'string') {
    if (!value.isWellFormed()) throw fault(walk, 'contains half of a surrogate pair. Write the character.')
  } else if (typeof value === 'number') {
    if (!Number.isFinite(value)) throw fault(walk, 'is not a number that JSON can represent. Correct it.')
  } else if (typeof value === 'object' && value !== null) visitParts(value, walk)
  else if (typeof value !== 'boolean' && value !== null)
    throw fault(walk, 'is not a JSON value. Write a text, a number, a list or an object.')
}

function visitParts(container: object, walk: Walk): void {
  const { path, limits } = walk
  if (path.length >= limits.depth)
    throw fault(
      { ...walk, path: path.slice(0, 3) },
      `is nested more than ${limits.depth} levels deep, or contains itself. Move inner parts to "components".`,
    )
  if (Array.isArray(container)) {
    for (let at = 0; at < container.length; at += 1) {
      path.push(at)
      visit(container[at], walk)
      path.pop()
    }
    return
  }
  for (const [at, key] of Object.keys(container).entries()) {
    path.push(key)
    if (at === maxProperties) throw fault(walk, tooWideMessage)
    if (key === '__proto__') throw fault(walk, 'has a reserved name. Choose a different name.')
    if (!key.isWellFormed()) throw fault(walk, 'has half of a surrogate pair in its name. Correct the name.')
    visit((container as Record<string, unknown>)[key], walk)
    path.pop()
  }
}

function fault({ path, name }: Walk, reason: string) {
  const place = pointer(...path)
  return descriptionError(
    'description.unreadable',
    `${place === '' ? 'The description' : place} in ${name} ${reason}`,
    { pointer: place },
  )
}
