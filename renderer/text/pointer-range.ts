// Finds the range of a JSON pointer in a text, for markers of findings.
import { findNodeAtLocation, parseTree, type Node } from 'jsonc-parser'
import type { Path } from './minimal-edit.ts'

export interface TextRange {
  start: number
  end: number
}

/** The steps of a JSON pointer; digits become positions if they refer to items. */
export function pathOf(pointer: string): Path {
  if (pointer === '' || pointer === '/') return []
  const steps = pointer.replace(/^\//, '').split('/')
  return steps.map((step) => {
    const name = step.replaceAll('~1', '/').replaceAll('~0', '~')
    return /^\d+$/.test(name) ? Number(name) : name
  })
}

/** The range of the value at the pointer, or of its nearest existing parent. Items can also be found by key. */
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
  // If a name is written twice, the last one is used.
  return node.children?.findLast(({ children: [name] = [] }) => name?.value === String(step))?.children?.[1]
}
