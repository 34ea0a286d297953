// Finds the places in a component that match a search, with the surrounding text, the name first.
import type { Component } from '../components/body-types.ts'
import { pointer } from '../components/pointer.ts'

export interface HitPlace {
  /** JSON pointer into the envelope; for a property name, to the property. */
  path: string
  excerpt: string
  /** Matches in the excerpt: start and end. */
  marks: [number, number][]
}

const mostPlaces = 3
const excerptLength = 120

/** Splits a search text into words; each must be the start of a word in the result. */
export function searchWords(text: string): string[] {
  return (plain(text).match(/[\p{L}\p{N}]+/gu) ?? []).slice(0, 20)
}

/** Returns the words of a text, without case and diacritics, with inner punctuation: `config_entry/fee.a`. */
export function plainWords(text: string): string[] {
  return plain(text).split(/\s+/).filter(Boolean)
}

/** Whether every word is the start of a word in one of the texts. */
export function matchesWords(texts: Iterable<string>, words: readonly string[]): boolean {
  const left = new Set(words)
  for (const text of texts) for (const word of [...left]) if (begins(text, word)) left.delete(word)
  return left.size === 0
}

/** Yields every text of a component with its place: key, label, then the body in order. */
export function* textsOf(component: Component): Iterable<{ path: string; text: string }> {
  yield { path: '/key', text: component.key }
  yield { path: '/label', text: component.label }
  yield* inside(component.body, ['body'])
}

/** Returns the same texts without their places, for an index. */
export function indexTextsOf(component: Component): string[] {
  const words: string[] = [component.key, component.label]
  gather(component.body, words)
  return words
}

function gather(value: unknown, words: string[]): void {
  if (typeof value === 'string') words.push(value)
  else if (Array.isArray(value)) for (const item of value) gather(item, words)
  else if (typeof value === 'object' && value !== null)
    for (const name of Object.keys(value)) {
      words.push(name)
      gather((value as Record<string, unknown>)[name], words)
    }
}

/** Returns up to three places with the most matching words, in the order of the component. */
export function hitPlaces(component: Component, words: readonly string[]): HitPlace[] {
  const places = [...textsOf(component)].flatMap(({ path, text }, at) => {
    const count = words.filter((word) => begins(text, word)).length
    return count === 0 ? [] : [{ path, text, at, count }]
  })
  const best = places.sort((a, b) => b.count - a.count || a.at - b.at).slice(0, mostPlaces)
  return best.sort((a, b) => a.at - b.at).map(({ path, text }) => ({ path, ...excerptOf(text, words) }))
}

function* inside(value: unknown, steps: readonly string[]): Iterable<{ path: string; text: string }> {
  if (typeof value === 'string') yield { path: pointer(...steps), text: value }
  else if (typeof value === 'object' && value !== null)
    for (const [name, inner] of Object.entries(value)) {
      // Names of fields and grants are properties.
      if (!Array.isArray(value)) yield { path: pointer(...steps, name), text: name }
      yield* inside(inner, [...steps, name])
    }
}

function excerptOf(text: string, words: readonly string[]): Pick<HitPlace, 'excerpt' | 'marks'> {
  const spans = spansOf(text, words)
  const first = spans[0]?.[0] ?? 0
  const start =
    text.length <= excerptLength ? 0 : Math.max(0, Math.min(first - 30, text.length - excerptLength))
  const end = Math.min(text.length, start + excerptLength)
  const [before, after] = [start > 0 ? '…' : '', end < text.length ? '…' : '']
  const marks = spans
    .filter(([from, to]) => from >= start && to <= end)
    .map(([from, to]): [number, number] => [from - start + before.length, to - start + before.length])
  return { excerpt: `${before}${text.slice(start, end).replace(/\s/g, ' ')}${after}`, marks }
}

function spansOf(text: string, words: readonly string[]): [number, number][] {
  const spans: [number, number][] = []
  for (const { 0: part, index } of text.matchAll(/[\p{L}\p{M}\p{N}]+/gu)) {
    const word = words.filter((each) => plain(part).startsWith(each)).sort((a, b) => b.length - a.length)[0]
    if (word !== undefined) spans.push([index, Math.min(index + word.length, index + part.length)])
  }
  return spans
}

function begins(text: string, word: string): boolean {
  return (plain(text).match(/[\p{L}\p{N}]+/gu) ?? []).some((part) => part.startsWith(word))
}

/** Removes case and diacritics, as the index does. */
function plain(text: string): string {
  return text.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase()
}
