// Replaces erased values in texts that contain them, such as the messages of jobs.
import type { HashValue } from './blank-history.ts'

/** A shorter value is only replaced where it is the whole text: other words contain it too. */
const minContained = 4

/** Whether a text could be an erased value within other text. */
export const isFindable = (value: string): boolean => [...value].length >= minContained

/** @param values the longest first, so that a part of a value does not hide the whole */
export function redactText(text: string, values: readonly string[], hash: HashValue): string {
  let redacted = text
  for (const value of values)
    if (text === value) return hash(value)
    else if (isFindable(value)) redacted = redacted.replaceAll(value, () => hash(value))
  return redacted
}

/**
 * Replaces a value only as a literal within quotes, as in a filter or in the message of a different record: other texts
 * contain the same words and digits.
 */
export function redactLiterals(text: string, values: readonly string[], hash: HashValue): string {
  let redacted = text
  for (const value of values.filter(isFindable))
    for (const literal of literalsOf(value))
      redacted = redacted.replaceAll(literal, () => `${literal[0]!}${hash(value)}${literal[0]!}`)
  return redacted
}

function literalsOf(value: string): string[] {
  const escaped = JSON.stringify(value)
  return [escaped, `'${escaped.slice(1, -1)}'`]
}

/** Whether a text of a JSON value is one of the values, or contains it as a literal. */
export function containsValue(json: unknown, values: ReadonlySet<string>): boolean {
  if (typeof json === 'string')
    return (
      values.has(json) || [...values].some((value) => literalsOf(value).some((each) => json.includes(each)))
    )
  if (typeof json !== 'object' || json === null) return false
  return Object.values(json).some((each) => containsValue(each, values))
}

/** The same as `redactText` for every text of a JSON value. */
export function redactJson<T>(json: T, values: readonly string[], hash: HashValue): T
export function redactJson(json: unknown, values: readonly string[], hash: HashValue): unknown {
  if (typeof json === 'string') return redactText(json, values, hash)
  if (Array.isArray(json)) return json.map((each) => redactJson(each, values, hash) as unknown)
  if (typeof json !== 'object' || json === null) return json
  return Object.fromEntries(
    Object.entries(json).map(([key, each]) => [key, redactJson(each, values, hash) as unknown]),
  )
}

/** Replaces values in the texts of a JSON text, whose numerals stay as they are. */
export function redactBody(json: string, redact: (text: string) => string): string {
  return json.replaceAll(/"(?:[^"\\]|\\.)*"/g, (literal) => {
    const text = JSON.parse(literal) as string
    const redacted = redact(text)
    return redacted === text ? literal : JSON.stringify(redacted)
  })
}

export const longestFirst = (values: Iterable<string>): string[] =>
  [...values].sort((a, b) => b.length - a.length)
