// Describes a new component in one line, so that a reviewer sees its shape without opening its text.
import type { Component } from '../components/body-types.ts'
import { truncateText, maxTextLength } from './excerpt.ts'

/** The maximum number of names of a list that are shown. */
const maxListedNames = 6

/** `keyed; keyed by territory; scopes environment, org; fields rate, currency`. */
export function describeShape({ body }: Component): string {
  const parts = Object.entries(body).flatMap(([name, value]) => {
    const words = wordsOf(value)
    return words === '' ? [] : [`${nameWords(name)} ${words}`]
  })
  return parts.length === 0 ? 'new' : parts.join('; ')
}

function wordsOf(value: unknown): string {
  if (value === null || value === undefined || value === '') return ''
  if (typeof value === 'boolean') return value ? 'yes' : 'no'
  if (typeof value !== 'object') return truncateText(String(value))
  if (Array.isArray(value)) return joinNames(value.map(nameOf))
  if ('key' in value) return nameOf(value)
  const entries = Object.entries(value)
  const plain = entries.map(([name, each]) => (typeof each === 'string' ? `${name} ${each}` : name))
  return joinNames(plain)
}

/** Returns the name of a list item: its key, or its text. */
function nameOf(item: unknown): string {
  if (typeof item !== 'object' || item === null) return String(item)
  const { key, name, path, field, dir } = item as Record<string, unknown>
  const found = [key, name, path].find((each) => typeof each === 'string')
  if (found !== undefined) return String(found)
  if (typeof field === 'string') return dir === 'desc' ? `${field} (descending)` : field
  return truncateText(describeJson(item))
}

/** `mode rate, digits 2`: all of a value of any shape in words, without the signs of JSON. */
export function describeJson(value: unknown): string {
  if (typeof value === 'boolean') return value ? 'yes' : 'no'
  if (typeof value !== 'object' || value === null) return String(value ?? 'none')
  if (Array.isArray(value)) return value.length === 0 ? 'none' : value.map(itemWords).join(', ')
  const entries = Object.entries(value)
  if (entries.length === 0) return 'empty'
  return entries.map(([name, each]) => `${nameWords(name)} ${describeJson(each)}`).join(', ')
}

/** In brackets if it has several parts. */
function itemWords(item: unknown): string {
  const words = describeJson(item)
  return typeof item === 'object' && item !== null && words.includes(', ') ? `(${words})` : words
}

function joinNames(names: readonly string[]): string {
  const shown = names.slice(0, maxListedNames).join(', ')
  const rest = names.length - maxListedNames
  const text = rest > 0 ? `${shown} and ${rest} more` : shown
  return text.length > 2 * maxTextLength ? truncateText(text) : text
}

/** `keyedBy` → `keyed by`. */
function nameWords(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`)
}
