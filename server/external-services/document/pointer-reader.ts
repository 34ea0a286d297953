// Finds what a reference of the document points to: by pointer, by anchor, or by the identifier of a schema.
import { pointer } from '#kernel/components/pointer.ts'
import { descriptionError } from '../description-error.ts'
import { isList, isObject, memberOf, type JsonObject, type JsonValue } from '../json.ts'
import { referenceOf } from './grammar.ts'
import { indexIdentifiers, type Identifiers } from './identifiers.ts'

export interface Target {
  value: JsonValue
  /** Steps from the document to the value itself, behind any references on the way. */
  steps: readonly string[]
}

/** Where a reference is written. */
export interface ReferencePlace {
  /** JSON pointer of the part that contains it. */
  pointer: string
  /** The resource that it is relative to: the document, or a schema with an `$id`. */
  base: string
}

const mostHops = 100

export class PointerReader {
  readonly document: JsonObject
  readonly name: string
  /** The document's own identifier; references relative to it are inside the document. */
  readonly base: string
  #identifiers: Identifiers | null = null

  constructor(document: JsonObject, name: string) {
    this.document = document
    this.name = name
    this.base = URL.canParse(name) ? name.replace(/#.*$/, '') : 'document:/description'
  }

  /** @throws AlmanacError if the reference leads outside, nowhere, or in a circle */
  find(reference: string, place: ReferencePlace): Target {
    if (place.base === this.base && (reference === '#' || reference.startsWith('#/')))
      return this.#follow(stepsOf(reference.slice(1)), reference, place)
    const target = URL.canParse(reference, place.base) ? new URL(reference, place.base) : null
    if (target === null) throw this.#external(reference, place)
    const fragment = target.hash.slice(1)
    target.hash = ''
    const start = this.#resource(target.href, fragment)
    if (start === null) throw this.#external(reference, place)
    return this.#follow(start, reference, place)
  }

  /** Returns the path item, behind its reference if it is one. Members beside the reference take precedence. */
  pathItem(path: string): { value: JsonObject; pointer: string } {
    const place = pointer('paths', path)
    const item = (this.document.paths as JsonObject)[path]
    if (!isObject(item)) {
      const message = `${place} in ${this.name} must be an object. Correct it there.`
      throw descriptionError('description.invalid', message, { pointer: place })
    }
    const reference = referenceOf(item)
    if (reference === undefined) return { value: item, pointer: place }
    const target = this.find(reference, { pointer: place, base: this.base })
    if (!isObject(target.value)) throw this.#missing(reference, place)
    return { value: { ...target.value, ...item }, pointer: pointer(...target.steps) }
  }

  /** Steps to a resource of the document, or to an anchor or place in it; null if it is not in the document. */
  #resource(uri: string, fragment: string): string[] | null {
    const isPointer = fragment === '' || fragment.startsWith('/')
    this.#identifiers ??= indexIdentifiers(this.document, this.base)
    if (!isPointer) return this.#identifiers.get(`${uri}#${decode(fragment)}`) ?? null
    const start = uri === this.base ? [] : this.#identifiers.get(uri)
    return start === undefined ? null : [...start, ...stepsOf(fragment)]
  }

  #follow(steps: readonly string[], reference: string, place: ReferencePlace): Target {
    let value: JsonValue = this.document
    let passed: string[] = []
    let left = [...steps]
    for (let hops = 0; ;) {
      const next = left[0]
      const own: JsonValue | undefined = next === undefined ? value : stepInto(value, next)
      if (own !== undefined) {
        if (next === undefined) return { value, steps: passed }
        value = own
        passed.push(next)
        left = left.slice(1)
        continue
      }
      const onward = referenceOf(value)
      if (onward === undefined || !onward.startsWith('#/') || (hops += 1) > mostHops)
        throw this.#missing(reference, place.pointer)
      left = [...stepsOf(onward.slice(1)), ...left]
      value = this.document
      passed = []
    }
  }

  #missing(reference: string, place: string) {
    return descriptionError(
      'description.invalid',
      `${place} in ${this.name} refers to "${reference}", which does not exist. Add it, or correct the reference.`,
      { pointer: place },
    )
  }

  #external(reference: string, place: ReferencePlace) {
    return descriptionError(
      'description.invalid',
      `${place.pointer} in ${this.name} refers to "${reference}", which is outside the description. ` +
        'Bundle the description into one document first, for example with "redocly bundle".',
      { pointer: place.pointer },
    )
  }
}

function stepInto(value: JsonValue, step: string): JsonValue | undefined {
  if (isObject(value)) return memberOf(value, step)
  return isList(value) && /^(0|[1-9]\d{0,8})$/.test(step) ? value[Number(step)] : undefined
}

/** Steps of a pointer in a fragment, where each can be percent-encoded. */
function stepsOf(pointerText: string): string[] {
  if (pointerText === '') return []
  return pointerText
    .slice(1)
    .split('/')
    .map((step) => decode(step).replaceAll('~1', '/').replaceAll('~0', '~'))
}

function decode(text: string): string {
  if (!text.includes('%')) return text
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}
