// Writes parameters into path, query, headers and cookies, in the styles of OpenAPI.
import type { OperationParameter } from '../structure/operation-structure.ts'
import type { JsonValue } from '../json.ts'
import { writeExactJson, type ExactValue } from '#kernel/service-values/index.ts'
import { formatDecimal, isDecimal } from '#kernel/decimal/decimal.ts'

/** A parameter as text: whole for path and header, pairs for query and cookie. All are encoded. */
export type WrittenParameter =
  { text: string } | { pairs: readonly (readonly [name: string, value: string])[] }

export function writeParameter(parameter: OperationParameter, value: ExactValue): WrittenParameter {
  const { name, in: place, mediaType } = parameter
  const encode = place === 'header' ? (text: string): string => text : encoderOf(parameter)
  if (mediaType !== undefined) {
    const text = encode(writeExactJson(value))
    return isPaired(place) ? { pairs: [[encodeName(name), text]] } : { text }
  }
  return isPaired(place)
    ? { pairs: pairsOf(parameter, value, encode) }
    : { text: wholeText(parameter, value, encode) }
}

const isPaired = (place: OperationParameter['in']): boolean => place === 'query' || place === 'cookie'

type Encode = (text: string) => string
type Members = readonly (readonly [string, ExactValue])[]

const encodeName = (name: string): string =>
  encodeStrictly(name).replaceAll('%5B', '[').replaceAll('%5D', ']')

/** Unlike encodeURIComponent, also the marks that are delimiters in a URL. */
function encodeStrictly(text: string): string {
  return encodeURIComponent(text).replaceAll(
    /[!'()*]/g,
    (mark) => `%${mark.charCodeAt(0).toString(16).toUpperCase()}`,
  )
}

/** Reserved characters stay if the parameter allows them, except those that would end a query. */
function encoderOf({ allowReserved, in: place }: OperationParameter): Encode {
  if (!allowReserved || place !== 'query') return encodeStrictly
  return (text) => encodeURI(text).replaceAll(/[&#+]/g, encodeURIComponent)
}

function pairsOf(
  { name, style, explode }: OperationParameter,
  value: ExactValue,
  encode: Encode,
): [string, string][] {
  const key = encodeName(name)
  const [items, members] = [listOf(value), membersOf(value)]
  if (members !== null) {
    const written = members.filter(([, item]) => item !== null)
    if (style === 'deepObject')
      return written.flatMap(([member, item]) => deepPairs(`${key}[${encodeName(member)}]`, item, encode))
    if (explode) return written.map(([member, item]) => [encodeName(member), encode(scalarText(item))])
    return [[key, written.flatMap(([member, item]) => [encode(member), encode(scalarText(item))]).join(',')]]
  }
  if (items === null) return [[key, encode(scalarText(value))]]
  if (explode) return items.map((item) => [key, encode(scalarText(item))])
  const separator = { spaceDelimited: '%20', pipeDelimited: '|' }[style] ?? ','
  return items.length === 0 ? [] : [[key, items.map((item) => encode(scalarText(item))).join(separator)]]
}

/** OpenAPI leaves nested values open: an object adds a bracket, as in `a[b][c]=1`, and a list repeats the name. */
function deepPairs(key: string, value: ExactValue, encode: Encode): [string, string][] {
  const [items, members] = [listOf(value), membersOf(value)]
  if (members !== null)
    return members.flatMap(([member, item]) => deepPairs(`${key}[${encodeName(member)}]`, item, encode))
  if (items !== null) return items.flatMap((item) => deepPairs(key, item, encode))
  return [[key, encode(scalarText(value))]]
}

function wholeText({ name, style, explode }: OperationParameter, value: ExactValue, encode: Encode): string {
  const [items, members] = [listOf(value), membersOf(value)]
  const prefix = { label: '.', matrix: ';' }[style] ?? ''
  if (members !== null) {
    const pairs = members
      .filter(([, item]) => item !== null)
      .map(([member, item]) => [encode(member), encode(scalarText(item))] as const)
    if (explode) return prefix + pairs.map((pair) => pair.join('=')).join(prefix || ',')
    return prefix + (style === 'matrix' ? `${encode(name)}=` : '') + pairs.flat().join(',')
  }
  const texts = (items ?? [value]).map((item) => encode(scalarText(item)))
  if (style === 'matrix')
    return explode
      ? texts.map((text) => `;${encode(name)}=${text}`).join('')
      : `;${encode(name)}=${texts.join(',')}`
  return prefix + texts.join(explode && style === 'label' ? '.' : ',')
}

function listOf(value: ExactValue): readonly ExactValue[] | null {
  return Array.isArray(value) ? (value as readonly ExactValue[]) : null
}

function membersOf(value: ExactValue): Members | null {
  if (value === null || typeof value !== 'object' || Array.isArray(value) || isDecimal(value)) return null
  return Object.entries(value as { readonly [name: string]: ExactValue })
}

/** What has no text of its own is written as JSON. */
function scalarText(value: ExactValue | JsonValue): string {
  if (value === null) return ''
  if (typeof value === 'string') return value
  return isDecimal(value) ? formatDecimal(value) : writeExactJson(value as ExactValue)
}
