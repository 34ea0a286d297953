// Rewrites the parts of a document from the leaves up. Unchanged parts are shared with the original.
import { pointer } from '#kernel/components/pointer.ts'
import { descriptionError } from '../description-error.ts'
import { isList, isObject, type JsonObject, type JsonValue } from '../json.ts'
import { isExtension, partStep, type PartKind, type PartShape } from './grammar.ts'

export type Path = readonly (string | number)[]

/** Returns the new part. `path` is only valid during the call. */
export type Rewrite = (part: JsonObject, kind: PartKind, path: Path) => JsonObject

export interface Rewriter {
  /** For messages. */
  name: string
  /** Called before the parts below; what it returns is what is visited. */
  enter?: Rewrite
  /** Called after the parts below. */
  leave?: Rewrite
  /** Called after the part and everything below it, however it was left. */
  exit?: (part: JsonObject, kind: PartKind) => void
}

/** @throws AlmanacError if something is a text or a list where OpenAPI has an object, and the like */
export function rewritePart(part: JsonValue, kind: PartKind, path: Path, rewriter: Rewriter): JsonValue {
  return one(part, kind, [...path], rewriter)
}

function one(value: JsonValue, kind: PartKind, path: (string | number)[], rewriter: Rewriter): JsonValue {
  if (kind === 'schema' && typeof value === 'boolean') return value
  if (!isObject(value)) throw misplaced(path, 'an object', value, rewriter)
  const entered = rewriter.enter?.(value, kind, path) ?? value
  let changed: Record<string, JsonValue> | null = null
  for (const name of Object.keys(entered)) {
    const step = partStep(kind, name)
    if (step === null) continue
    path.push(name)
    const before = entered[name]!
    const after = shaped(before, step.shape, step.kind, path, rewriter)
    path.pop()
    if (after !== before) (changed ??= { ...entered })[name] = after
  }
  const rewritten = changed ?? entered
  const left = rewriter.leave?.(rewritten, kind, path) ?? rewritten
  rewriter.exit?.(value, kind)
  return left
}

function shaped(
  value: JsonValue,
  shape: PartShape,
  kind: PartKind,
  path: (string | number)[],
  rewriter: Rewriter,
): JsonValue {
  if (shape === 'one') return one(value, kind, path, rewriter)
  if (shape === 'list') {
    if (!isList(value)) throw misplaced(path, 'a list', value, rewriter)
    let changed: JsonValue[] | null = null
    for (let at = 0; at < value.length; at += 1) {
      path.push(at)
      const after = one(value[at]!, kind, path, rewriter)
      path.pop()
      if (after !== value[at]) (changed ??= [...value])[at] = after
    }
    return changed ?? value
  }
  if (!isObject(value)) throw misplaced(path, 'an object', value, rewriter)
  let changed: Record<string, JsonValue> | null = null
  for (const name of Object.keys(value)) {
    if (isExtension(kind, name)) continue
    path.push(name)
    const after = one(value[name]!, kind, path, rewriter)
    path.pop()
    if (after !== value[name]) (changed ??= { ...value })[name] = after
  }
  return changed ?? value
}

function misplaced(path: Path, expected: string, value: JsonValue, { name }: Rewriter) {
  const place = pointer(...path)
  const found =
    value === null ? 'null' : isList(value) ? 'a list' : isObject(value) ? 'an object' : `a ${typeof value}`
  return descriptionError(
    'description.invalid',
    `${place === '' ? 'The description' : place} in ${name} must be ${expected}, but it is ${found}. Correct it there.`,
    { pointer: place },
  )
}
