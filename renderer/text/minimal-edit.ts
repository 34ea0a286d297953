// Writes a form edit as the smallest change to the text, so order and layout are kept.
import {
  applyEdits,
  findNodeAtLocation,
  getNodeValue,
  modify,
  parseTree,
  type ParseError,
} from 'jsonc-parser'
import { positionAt, type TextPosition } from '#kernel/components/text-position.ts'
import { withLastNamesOnly } from './duplicate-names.ts'

export type Path = (string | number)[]

/**
 * Sets the value at `path` in a JSON text; `undefined` removes the property or item. Missing objects in between are
 * created. Returns a text that is not a JSON object or has faults unchanged, because its tree can be misaligned. If a
 * name is written twice, setting changes the one that is used, and removing removes both.
 */
export function setAt(text: string, path: Path, value: unknown): string {
  if (readLoosely(text).faults.length > 0) return text
  const once = (from: string): string => withLastNamesOnly(from, (lasts) => setOnce(lasts, path, value))
  // The next item takes the position of a removed one.
  if (value !== undefined || typeof path.at(-1) === 'number') return once(text)
  let left = text
  for (let next = once(left); next !== left; next = once(left)) left = next
  return left
}

function setOnce(text: string, path: Path, value: unknown): string {
  const formattingOptions = { insertSpaces: true, tabSize: 2, eol: '\n' }
  if (value === undefined && !hasAt(text, path)) return text
  try {
    return applyEdits(text, modify(text, path, value, { formattingOptions }))
  } catch {
    return text
  }
}

/** The readable part of the value, and whether the text is valid JSON. */
export function readLoosely(text: string): { value: unknown; faults: ParseError[] } {
  const faults: ParseError[] = []
  const tree = parseTree(text, faults)
  return { value: tree === undefined ? undefined : (getNodeValue(tree) as unknown), faults }
}

/** The position of the first fault; null if the text is valid JSON. */
export const faultPlace = (text: string): TextPosition | null => placeOfFault(text, readLoosely(text).faults)

/** The same, for a text that is already parsed. */
export function placeOfFault(text: string, [fault]: readonly ParseError[]): TextPosition | null {
  return fault === undefined ? null : positionAt(text, fault.offset)
}

function hasAt(text: string, path: Path): boolean {
  const tree = parseTree(text)
  return tree !== undefined && findNodeAtLocation(tree, path) !== undefined
}
