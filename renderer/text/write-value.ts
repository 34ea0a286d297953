// A value written into the text that says another: only what differs is changed, order and layout stay (studio: "Frame").
import { sameContent } from '#kernel/change/value-diff.ts'
import { readLoosely, setAt, type Path } from './minimal-edit.ts'

/** The text as it says `value` instead; a text with a fault is answered as it is. */
export function writeValue(text: string, value: unknown): string {
  return write(text, [], readLoosely(text).value, value)
}

function write(text: string, path: Path, from: unknown, to: unknown): string {
  if (sameContent(from, to)) return text
  if (isRecord(from) && isRecord(to)) {
    const names = [...new Set([...Object.keys(from), ...Object.keys(to)])]
    return names.reduce((now, name) => write(now, [...path, name], from[name], to[name]), text)
  }
  if (Array.isArray(from) && Array.isArray(to) && from.length === to.length)
    return to.reduce<string>((now, item, at) => write(now, [...path, at], from[at], item), text)
  return setAt(text, path, to)
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
