// A change of the form as the smallest change of the text, so that order and layout stay (studio: "Frame").
import {
  applyEdits,
  findNodeAtLocation,
  getNodeValue,
  modify,
  parseTree,
  type ParseError,
} from 'jsonc-parser'

export type Path = (string | number)[]

/**
 * Sets the value at `path` in a JSON text; `undefined` takes the property or item away. Objects that lie between are
 * made. A text that is no JSON object is answered as it is.
 */
export function setAt(text: string, path: Path, value: unknown): string {
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

function hasAt(text: string, path: Path): boolean {
  const tree = parseTree(text)
  return tree !== undefined && findNodeAtLocation(tree, path) !== undefined
}
