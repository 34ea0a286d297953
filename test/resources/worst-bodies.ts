// The worst bodies of a route, made from its declaration: each fills its budget in a way that parsers or checks hate.
import { z } from 'zod'
import { budgetOf, type Budget } from '../../server/http/budget.ts'
import type { Route } from '../../server/http/route.ts'

export interface WorstBody {
  kind: string
  body: Uint8Array
  headers?: Record<string, string>
}

type Schema = {
  type?: string | string[]
  properties?: Record<string, Schema>
  required?: string[]
  items?: Schema
  anyOf?: Schema[]
  oneOf?: Schema[]
  enum?: unknown[]
  const?: unknown
  additionalProperties?: Schema | boolean
  propertyNames?: Schema
  maxLength?: number
  maxItems?: number
  minimum?: number
  format?: string
  pattern?: string
  $ref?: string
}

/** Of lists, a part of the budget: 500 bodies have to be sent within minutes. */
const mostBytes = 2 * 1024 * 1024
const mostElements = 100_000

export function worstBodiesOf(route: Route): WorstBody[] {
  if (route.body === undefined) return []
  const declared = budgetOf({ budget: route.budget }, null)
  const budget = { ...declared, elements: Math.min(declared.elements, mostElements) }
  if (route.bodyMedia === 'application/x-www-form-urlencoded') return formBodies(budget)
  const schema = z.toJSONSchema(route.body, { io: 'input', unrepresentable: 'any' }) as Schema
  const bytes = Math.min(budget.bytes, mostBytes) - 1024
  const least = sampleOf(schema)
  const bodies: [string, string][] = [
    ['nothing but brackets', '['.repeat(Math.min(bytes, 1_000_000))],
    ['a number of very many digits', `{"a":1${'0'.repeat(bytes - 10)}1}`],
    ['a text without an end', `{"a":"${'\\"'.repeat(bytes / 2 - 10)}`],
    ['unknown properties', unknownProperties(least, budget, bytes)],
    ['one property again and again', `{${'"a":1,'.repeat(Math.min(budget.elements, bytes / 6) - 2)}"a":1}`],
    ['a long name over many', longNameOverMany(budget, bytes)],
    ['white space', `${' '.repeat(bytes)}${JSON.stringify(least)}`],
  ]
  for (const [place, fill] of placesOf(schema)) {
    for (const [kind, filler] of fill(budget, bytes))
      bodies.push([`${kind} at ${place.join('.') || 'the top'}`, withText(least, place, filler)])
  }
  return bodies.map(([kind, text]) => ({ kind, body: Buffer.from(text) }))
}

function formBodies({ bytes }: Budget): WorstBody[] {
  const headers = { 'content-type': 'application/x-www-form-urlencoded' }
  return ['a=1&', '%00', '&', 'grant_type=client_credentials&'].map((piece) => ({
    kind: `${piece} again and again`,
    body: Buffer.from(piece.repeat((bytes - 100) / piece.length)),
    headers,
  }))
}

function unknownProperties(least: unknown, { elements }: Budget, bytes: number): string {
  const count = Math.min(elements - 100, Math.floor(bytes / 16))
  const more = Array.from({ length: count }, (_, i) => `"x${i}":1`).join()
  const known = JSON.stringify(least)
  return known.startsWith('{') && known.length > 2 ? `${known.slice(0, -1)},${more}}` : `{${more}}`
}

function longNameOverMany({ elements }: Budget, bytes: number): string {
  const name = 'n'.repeat(bytes / 2)
  const count = Math.min(elements - 10, Math.floor(bytes / 2 / 8))
  return `{"${name}":{${'"a":1,'.repeat(count)}"a":1}}`
}

type Fillers = (budget: Budget, bytes: number) => [kind: string, text: string][]

/** Places of texts and lists, with what to put there. */
function* placesOf(schema: Schema, at: string[] = []): Generator<[string[], Fillers]> {
  for (const option of schema.anyOf ?? schema.oneOf ?? []) {
    const places = [...placesOf(option, at)]
    if (places.length > 0) {
      yield* places
      break
    }
  }
  if (schema.properties !== undefined && at.length < 4)
    for (const [name, part] of Object.entries(schema.properties)) yield* placesOf(part, [...at, name])
  if (schema.type === 'string')
    yield [
      at,
      (_, bytes) => {
        const length = Math.min(schema.maxLength ?? Infinity, bytes - 500)
        return [
          ['a long text', JSON.stringify('x'.repeat(length))],
          ['many words', JSON.stringify('a b '.repeat(length / 4))],
          ['digits', JSON.stringify('9'.repeat(length))],
        ]
      },
    ]
  else if (schema.type === 'array')
    yield [
      at,
      ({ elements }, bytes) => {
        const item = JSON.stringify(sampleOf(schema.items ?? {}))
        const size = Math.max(1, item.length + 1)
        const valuesOfItem = item.split(/[,[{]/).length
        const count = Math.max(1, Math.min(Math.floor((elements - 200) / valuesOfItem), Math.floor((bytes - 500) / size)))
        const ones = Math.min(elements - 200, Math.floor((bytes - 500) / 2))
        return [
          ['items', `[${`${item},`.repeat(count - 1)}${item}]`],
          ['ones', `[${'1,'.repeat(ones - 1)}1]`],
        ]
      },
    ]
  else if (schema.propertyNames !== undefined || typeof schema.additionalProperties === 'object')
    yield [
      at,
      ({ elements }, bytes) => {
        const value = JSON.stringify(sampleOf((schema.additionalProperties as Schema | undefined) ?? {}))
        const values = 1 + value.split(/[,[{]/).length
        const count = Math.min(Math.floor((elements - 200) / values), Math.floor((bytes - 500) / (value.length + 12)))
        return [
          ['members', `{${Array.from({ length: count }, (_, i) => `"k${i}":${value}`).join()}}`],
          ['wrong members', `{${Array.from({ length: count }, (_, i) => `"k${i}":[]`).join()}}`],
        ]
      },
    ]
  // What is not described may be anything: a component, a map.
  else if (schema.type === undefined && schema.anyOf === undefined && schema.oneOf === undefined && schema.enum === undefined && at.length > 0)
    yield [at, (_, bytes) => [['a deep value', `${'[['.repeat(240)}"${'x'.repeat(bytes / 2)}"${']]'.repeat(240)}`]]]
}

/** The least value that fits, with every property. */
function sampleOf(schema: Schema): unknown {
  if (schema.const !== undefined) return schema.const
  if (schema.enum !== undefined) return schema.enum[0]
  const option = (schema.anyOf ?? schema.oneOf)?.[0]
  if (option !== undefined) return sampleOf(option)
  const type = Array.isArray(schema.type) ? schema.type[0] : schema.type
  switch (type) {
    case 'object':
      return Object.fromEntries(
        (schema.required ?? []).map((name) => [name, sampleOf(schema.properties?.[name] ?? {})]),
      )
    case 'array':
      return []
    case 'string':
      return textOf(schema)
    case 'integer':
    case 'number':
      return Math.max(schema.minimum ?? 0, 1)
    case 'boolean':
      return false
    case 'null':
      return null
    default:
      return 1
  }
}

function textOf({ pattern, format }: Schema): string {
  if (format === 'date') return '2026-01-01'
  if (pattern?.includes('/') === true) return 'config_entry/vat_rate.de'
  return pattern?.includes('\\d{4}') === true ? '2026-01-01' : 'vat_rate'
}

/** The sample as text with other text at a place, which need not be what is expected there. */
function withText(sample: unknown, place: readonly string[], text: string): string {
  const [first, ...rest] = place
  if (first === undefined) return text
  const object = typeof sample === 'object' && sample !== null && !Array.isArray(sample) ? sample : {}
  const members = Object.entries(object).filter(([name]) => name !== first)
  const inner = withText((object as Record<string, unknown>)[first], rest, text)
  return `{${[...members.map(([name, value]) => `${JSON.stringify(name)}:${JSON.stringify(value)}`), `${JSON.stringify(first)}:${inner}`].join()}}`
}
