// Maps a place in JSON text to line and column, so that a finding about a file can be opened with a click.
import { findNodeAtLocation, parseTree, printParseErrorCode, type Node, type ParseError } from 'jsonc-parser'
import { jsonErrorReason } from '#kernel/components/json-reasons.ts'
import { positionAt, type TextPosition } from '#kernel/components/text-position.ts'

const strict = { disallowComments: true, allowTrailingComma: false }

/** The place of a JSON pointer's value; the nearest outer value if the place does not exist. */
export function placeOfPointer(text: string, pointer: string): TextPosition {
  return createPlaceLookup(text)(pointer)
}

/** The same for many pointers into one text, which is read once, at the first call. */
export function createPlaceLookup(text: string): (pointer: string) => TextPosition {
  let root: Node | undefined | null = null
  let starts: number[] = []
  return (pointer) => {
    if (root === null) {
      root = treeOf(text)
      starts = lineStarts(text)
    }
    return root === undefined ? { line: 1, column: 1 } : placeIn(starts, offsetOf(root, pointer))
  }
}

function treeOf(text: string): Node | undefined {
  try {
    return parseTree(text, [], strict)
  } catch {
    // Nested deeper than the parser's own stack; the earlier scan reports it.
    return undefined
  }
}

function offsetOf(root: Node, pointer: string): number {
  let node = root
  const steps = pointer
    .split('/')
    .slice(1)
    .map((step) => step.replaceAll('~1', '/').replaceAll('~0', '~'))
  for (const step of steps) {
    const next = findNodeAtLocation(node, [node.type === 'array' ? Number(step) : step])
    if (next === undefined) break
    node = next
  }
  return node.parent?.type === 'property' ? node.parent.offset : node.offset
}

/** The first fault of a text that is not valid JSON: what the parser expected, and where. */
export function firstFault(text: string): TextPosition & { reason: string } {
  if (text.trim() === '') return { line: 1, column: 1, reason: 'a value is missing; the text is empty' }
  const errors: ParseError[] = []
  parseTree(text, errors, strict)
  const [first] = errors
  if (first === undefined) return { line: 1, column: 1, reason: jsonErrorReason('') }
  return { ...positionAt(text, first.offset), reason: jsonErrorReason(printParseErrorCode(first.error)) }
}

function lineStarts(text: string): number[] {
  const starts = [0]
  for (let end = text.indexOf('\n'); end !== -1; end = text.indexOf('\n', end + 1)) starts.push(end + 1)
  return starts
}

/** The last line that begins at or before the offset. */
function placeIn(starts: readonly number[], offset: number): TextPosition {
  let [low, high] = [0, starts.length - 1]
  while (low < high) {
    const middle = (low + high + 1) >> 1
    if (starts[middle]! <= offset) low = middle
    else high = middle - 1
  }
  return { line: low + 1, column: offset - starts[low]! + 1 }
}
