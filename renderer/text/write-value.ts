// Writes a value into a text: changes only what differs and keeps order and layout.
import { isSameContent } from '#kernel/change/value-diff.ts'
import { readLoosely, setAt, type Path } from './minimal-edit.ts'

/** Returns the text with `value` instead; a text with a fault is returned unchanged. */
export function writeValue(text: string, value: unknown): string {
  return write(text, [], readLoosely(text).value, value)
}

function write(text: string, path: Path, from: unknown, to: unknown): string {
  if (isSameContent(from, to)) return text
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
