// The operations of a document by name, and the choice among them.
import { pointer } from '#kernel/components/pointer.ts'
import { didYouMean } from '#kernel/errors/suggest.ts'
import { descriptionError } from '../description-error.ts'
import { isObject, memberOf, textIn, type JsonObject } from '../json.ts'
import { methods, type Method } from './grammar.ts'
import type { PointerReader } from './pointer-reader.ts'

export interface ListedOperation {
  /** The operationId; `GET /pets/{id}` if it has none. The operation's key is `<service>.<name>`. */
  name: string
  method: Method
  path: string
  summary?: string
  deprecated: boolean
  /** JSON pointer into the description as it was read. */
  pointer: string
  operation: JsonObject
}

/** Methods that a callout can use. */
const callable: ReadonlySet<Method> = new Set(['get', 'head', 'put', 'post', 'patch', 'delete'])

/** Returns the operations in the order of the document; those that share a name are all in it. */
export function listOperations(reader: PointerReader): ListedOperation[] {
  const { document, name } = reader
  const paths = memberOf(document, 'paths')
  if (paths === undefined) return []
  if (!isObject(paths))
    throw descriptionError('description.invalid', `/paths in ${name} must be an object. Correct it there.`, {
      pointer: '/paths',
    })
  return Object.keys(paths).flatMap((path) =>
    path.startsWith('x-') ? [] : operationsOf(path, reader.pathItem(path)),
  )
}

function operationsOf(path: string, item: { value: JsonObject; pointer: string }): ListedOperation[] {
  return methods.flatMap((method): ListedOperation[] => {
    const operation = memberOf(item.value, method)
    if (!isObject(operation) || !callable.has(method)) return []
    const id = textIn(operation, 'operationId')?.trim()
    const summary = textIn(operation, 'summary')
    return [
      {
        ...{ method, path, summary, operation, deprecated: operation.deprecated === true },
        name: id === undefined || id === '' ? `${method.toUpperCase()} ${path}` : id,
        pointer: item.pointer + pointer(method),
      },
    ]
  })
}

/**
 * @param chosen names of operations; all if undefined
 * @throws AlmanacError naming unknown operations with suggestions, or both of two that share a name
 */
export function chooseOperations(
  listed: readonly ListedOperation[],
  chosen: readonly string[] | undefined,
  source: string,
): ListedOperation[] {
  const byName = new Map<string, ListedOperation>()
  const wanted = chosen === undefined ? null : new Set(chosen)
  for (const operation of listed) {
    if (wanted !== null && !wanted.has(operation.name)) continue
    const twin = byName.get(operation.name)
    if (twin !== undefined) throw collision(twin, operation, source)
    byName.set(operation.name, operation)
  }
  if (listed.length === 0)
    throw descriptionError(
      'description.invalid',
      `${source} does not describe any operation that can be called. Add one below "paths".`,
      { pointer: '/paths' },
    )
  const unknown = [...(wanted ?? [])].filter((name) => !byName.has(name))
  if (unknown.length > 0) throw unknownOperations(unknown, listed, source)
  return [...byName.values()]
}

function collision(one: ListedOperation, other: ListedOperation, source: string) {
  return descriptionError(
    'description.invalid',
    `Two operations in ${source} are called "${one.name}": ${one.pointer} and ${other.pointer}. Give each its own operationId.`,
    { pointer: other.pointer },
  )
}

const mostNamed = 10

function unknownOperations(unknown: readonly string[], listed: readonly ListedOperation[], source: string) {
  const names = listed.map(({ name }) => name)
  const shown = unknown.slice(0, mostNamed).map((name) => `"${name}".${didYouMean(name, names)}`)
  const rest = unknown.length > mostNamed ? ` ${unknown.length - mostNamed} more are unknown.` : ''
  return descriptionError(
    'description.invalid',
    `${source} has no operation ${shown.join(' And none ')}${rest} Correct "operations".`,
    { pointer: '/paths' },
  )
}
