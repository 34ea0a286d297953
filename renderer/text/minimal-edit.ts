// A change of the form as the smallest change of the text, so that order and layout stay (studio: "Frame").
import {
  applyEdits,
  findNodeAtLocation,
  getNodeValue,
  modify,
  parseTree,
  type ParseError,
} from 'jsonc-parser'
import { placeAt, type TextPlace } from '#kernel/components/text-place.ts'
import { amongLasts } from './names-twice.ts'

export type Path = (string | number)[]

/**
 * Sets the value at `path` in a JSON text; `undefined` takes the property or item away. Objects that lie between are
 * made. A text that is no JSON object, or has faults, is answered as it is: its tree may be misaligned. Of a name that is
 * written twice the one that counts is set, and both are taken away.
 */
export function setAt(text: string, path: Path, value: unknown): string {
  if (readLoosely(text).faults.length > 0) return text
  const once = (from: string): string => amongLasts(from, (lasts) => setOnce(lasts, path, value))
  // An item's neighbour takes its position.
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

/** The value as far as it can be read, and whether the text is faultless JSON. */
export function readLoosely(text: string): { value: unknown; faults: ParseError[] } {
  const faults: ParseError[] = []
  const tree = parseTree(text, faults)
  return { value: tree === undefined ? undefined : (getNodeValue(tree) as unknown), faults }
}

/** Where the first fault is; null where the text is faultless JSON. */
export const faultPlace = (text: string): TextPlace | null => placeOfFault(text, readLoosely(text).faults)

/** The same, of a text that was read. */
export function placeOfFault(text: string, [fault]: readonly ParseError[]): TextPlace | null {
  return fault === undefined ? null : placeAt(text, fault.offset)
}

function hasAt(text: string, path: Path): boolean {
  const tree = parseTree(text)
  return tree !== undefined && findNodeAtLocation(tree, path) !== undefined
}
