// A whole component or a part of one in one line of words, for forms that never show JSON.
import { sameContent } from '#kernel/change/value-diff.ts'
import { valueWords } from './words.ts'

/**
 * What a value holds, place by place: "effectiveFrom 2021-01-01, values.rate 0.1900".
 * With a second version only the places that differ from it, unless there are none.
 */
export function plainWords(value: unknown, other?: unknown): string {
  const all = leavesOf(value, '')
  const theirs = new Map(other === undefined ? [] : leavesOf(other, ''))
  const differing = all.filter(([place, leaf]) => !sameContent(theirs.get(place), leaf))
  const shown = theirs.size > 0 && differing.length > 0 ? differing : all
  return (
    shown.map(([place, leaf]) => `${place.replace(/^body\./, '')} ${leafWords(leaf)}`.trim()).join(', ') ||
    'empty'
  )
}

type Leaf = [place: string, value: unknown]

function leavesOf(value: unknown, place: string): Leaf[] {
  if (Array.isArray(value) && value.some(isObject))
    return value.flatMap((item, at) => leavesOf(item, joined(place, nameOf(item) ?? String(at + 1))))
  if (!isObject(value) || Array.isArray(value)) return [[place, value]]
  return Object.entries(value).flatMap(([name, part]) => leavesOf(part, joined(place, name)))
}

const joined = (place: string, name: string): string => (place === '' ? name : `${place}.${name}`)
const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null

/** Items of lists are called by their key. */
function nameOf(item: unknown): string | undefined {
  if (!isObject(item) || Array.isArray(item)) return undefined
  const { key, id } = item as { key?: unknown; id?: unknown }
  return typeof key === 'string' ? key : typeof id === 'string' ? id : undefined
}

function leafWords(leaf: unknown): string {
  if (Array.isArray(leaf)) return leaf.length === 0 ? 'none' : leaf.map(valueWords).join(' ')
  return leaf === null ? 'none' : valueWords(leaf)
}
