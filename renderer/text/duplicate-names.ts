// Names that occur twice in one object of a text. The last one is used, as in every JSON parser.
import { pointer } from '#kernel/components/pointer.ts'
import { parseTree, type Node } from 'jsonc-parser'

export interface DuplicateName {
  /** JSON pointer of the property. */
  path: string
  /** The earlier occurrence of the name, which is not used. */
  earlier: Node
  /** The last occurrence of the name. */
  last: Node
}

/** Returns them in the order of the text; a name that occurs three times is included twice. */
export function findDuplicateNames(text: string): DuplicateName[] {
  const tree = parseTree(text)
  return tree === undefined ? [] : twiceIn(tree, '').sort((a, b) => a.earlier.offset - b.earlier.offset)
}

function twiceIn(node: Node, path: string): DuplicateName[] {
  const children = node.children ?? []
  if (node.type === 'array') return children.flatMap((item, at) => twiceIn(item, path + pointer(at)))
  const lasts = new Map(children.map(({ children: [name] = [] }) => [String(name?.value), name!]))
  return children.flatMap(({ children: [name, value] = [] }) => {
    if (name === undefined) return []
    const named = String(name.value)
    const at = path + pointer(named)
    const last = lasts.get(named)!
    return [
      ...(last === name ? [] : [{ path: at, earlier: name, last }]),
      ...(value === undefined ? [] : twiceIn(value, at)),
    ]
  })
}

/**
 * Runs work on a text in which only the names that count can be found, because libraries find the first of two, which a
 * parser ignores.
 */
export function withLastNamesOnly(text: string, work: (text: string) => string): string {
  const twice = findDuplicateNames(text)
  if (twice.length === 0) return work(text)
  let masked = ''
  let at = 0
  const names = twice.map(({ earlier: { offset, length } }, index) => {
    masked += `${text.slice(at, offset)}"\uE000${index}\uE000"`
    at = offset + length
    return text.slice(offset, at)
  })
  return work(masked + text.slice(at)).replace(
    /"\uE000(\d+)\uE000"/g,
    (_mask, index) => names[Number(index)]!,
  )
}
