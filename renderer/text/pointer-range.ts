// Where a JSON pointer lies in a text, for markers of findings.
import { findNodeAtLocation, parseTree, type Node } from 'jsonc-parser'
import type { Path } from './minimal-edit.ts'

export interface TextRange {
  start: number
  end: number
}

/** Steps of a JSON pointer; digits become positions where they stand for items. */
export function pathOf(pointer: string): Path {
  if (pointer === '' || pointer === '/') return []
  const steps = pointer.replace(/^\//, '').split('/')
  return steps.map((step) => {
    const name = step.replaceAll('~1', '/').replaceAll('~0', '~')
    return /^\d+$/.test(name) ? Number(name) : name
  })
}

/** The range of the value at the pointer, or of the nearest thing above it that is there. Items are found by key too. */
export function rangeOf(text: string, pointer: string): TextRange {
  const tree = parseTree(text)
  if (tree === undefined) return { start: 0, end: Math.min(1, text.length) }
  let node = tree
  for (const step of pathOf(pointer)) {
    const next = stepInto(node, step)
    if (next === undefined) break
    node = next
  }
  if (node === tree) return { start: tree.offset, end: tree.offset + 1 }
  return { start: node.offset, end: node.offset + node.length }
}

function stepInto(node: Node, step: string | number): Node | undefined {
  if (node.type === 'array' && typeof step === 'string')
    return node.children?.find((item) => findNodeAtLocation(item, ['key'])?.value === step)
  if (node.type !== 'object') return findNodeAtLocation(node, [step])
  // Of a name that is written twice the last counts.
  return node.children?.findLast(({ children: [name] = [] }) => name?.value === String(step))?.children?.[1]
}
