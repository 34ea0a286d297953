// Describes a component or a part of one in one line of words, for forms that never show JSON.
import { pointer } from '#kernel/components/pointer.ts'
import { isSameContent } from '#kernel/change/value-diff.ts'
import { valueWords } from './words.ts'

/**
 * The form's label of a place and its display of the value. Places are JSON pointers; items of lists are named by key.
 */
export interface PlaceNaming {
  place(path: string): string
  value(path: string, value: unknown): string
}

/**
 * Describes the value at `root`, place by place: "First day: 1 Jan 2021; Values, rate: 0.1900".
 * With a second version, only the places that differ from it, unless the two are equal.
 */
export function plainWords(value: unknown, naming: PlaceNaming, root = '', other?: unknown): string {
  const all = leavesOf(value, root)
  const theirs = new Map(other === undefined ? [] : leavesOf(other, root))
  const differing = all.filter(([place, leaf]) => !isSameContent(theirs.get(place), leaf))
  const shown = theirs.size > 0 && differing.length > 0 ? differing : all
  return (
    shown
      .map(([path, leaf]) => {
        const words = leafWords(naming, path, leaf)
        return path === root ? words : `${naming.place(path)}: ${words}`
      })
      .join('; ') || 'empty'
  )
}

type Leaf = [path: string, value: unknown]

function leavesOf(value: unknown, path: string): Leaf[] {
  if (Array.isArray(value) && value.some(isObject))
    return value.flatMap((item, at) => leavesOf(item, path + pointer(nameOf(item) ?? String(at + 1))))
  if (!isObject(value) || Array.isArray(value)) return [[path, value]]
  return Object.entries(value).flatMap(([name, part]) => {
    const place = path + pointer(name)
    // The page already shows which component it is.
    return place === '/type' ? [] : leavesOf(part, place)
  })
}

const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null

/** Items of lists are named by their key. */
function nameOf(item: unknown): string | undefined {
  if (!isObject(item) || Array.isArray(item)) return undefined
  const { key, id } = item as { key?: unknown; id?: unknown }
  return typeof key === 'string' ? key : typeof id === 'string' ? id : undefined
}

function leafWords({ value }: PlaceNaming, path: string, leaf: unknown): string {
  if (Array.isArray(leaf)) return leaf.length === 0 ? 'none' : leaf.map(valueWords).join(' ')
  return value(path, leaf)
}
