// The worst bodies of a route, generated from its declaration: each fills its budget in a way that is hard for parsers
// or checks.
import { z } from 'zod'
import { maxProperties } from '#kernel/components/json-issues.ts'
import { budgetsOf, type Budget } from '../../server/http/budget.ts'
import type { Route } from '../../server/http/route.ts'
import type { BodySizes } from './body-sizes.ts'

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

/** Each body is created when it is needed: they are large. */
export function* worstBodiesOf(route: Route, sizes: BodySizes): Iterable<WorstBody> {
  if (route.body === undefined) return
  const budget = budgetsOf({ budget: route.budget })(null)
  if (route.bodyMedia === 'application/x-www-form-urlencoded') return yield* formBodies(budget)
  // An invalid property keeps a body of a route that writes from changing the org during the suite.
  const sample = sampleOf(schemaOf(route)) as object
  const least = route.access === 'signed_in' && route.effect === 'reads' ? sample : { ...sample, unexpected: 1 }
  for (const [kind, make] of kindsOf(route)) {
    const size = sizes.next(kind, route, budget)
    if (size === undefined) continue
    yield { kind, body: Buffer.from(make(least, size, size.bytes - 1024)) }
  }
}

function schemaOf({ body }: Route): Schema {
  return z.toJSONSchema(body!, { io: 'input', unrepresentable: 'any' }) as Schema
}

type Make = (least: unknown, budget: Budget, bytes: number) => string

function kindsOf(route: Route): [kind: string, make: Make][] {
  const kinds: [string, Make][] = [
    ['nothing but brackets', (_, __, bytes) => '['.repeat(Math.min(bytes, 1_000_000))],
    ['a number of very many digits', (_, __, bytes) => `{"a":1${'0'.repeat(bytes - 10)}1}`],
    ['a text without an end', (_, __, bytes) => `{"a":"${'\\"'.repeat(bytes / 2 - 10)}`],
    ['unknown properties', unknownProperties],
    ['more properties than an object can have', (_, { elements }, bytes) => `{${members(Math.min(elements - 100, bytes / 16))}}`],
    ['objects of as many properties as they can have', (_, budget, bytes) => widestObjects(budget, bytes)],
    [
      'one property again and again',
      (_, { elements }, bytes) => `{${'"a":1,'.repeat(Math.min(elements, bytes / 6) - 2)}"a":1}`,
    ],
    ['a long name over many', (_, budget, bytes) => longNameOverMany(budget, bytes)],
    ['white space', (least, _, bytes) => `${' '.repeat(bytes - 10_000)}${JSON.stringify(least)}`],
  ]
  for (const [place, fill] of placesOf(schemaOf(route)))
    for (const [kind, filler] of fill)
      kinds.push([
        `${kind} at ${place.join('.') || 'the top'}`,
        (least, budget, bytes) => withText(least, place, filler(budget, bytes)),
      ])
  return kinds
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
  const more = members(Math.min(elements, maxProperties, bytes / 16) - 100)
  const known = JSON.stringify(least)
  return known.startsWith('{') && known.length > 2 ? `${known.slice(0, -1)},${more}}` : `{${more}}`
}

function members(count: number): string {
  return Array.from({ length: Math.floor(count) }, (_, i) => `"x${i}":1`).join()
}

function widestObjects({ elements }: Budget, bytes: number): string {
  const each = `{${members(Math.min(elements, maxProperties, bytes / 16) - 100)}}`
  const count = Math.floor(Math.min(elements / maxProperties, bytes / (each.length + 10)))
  return `{${Array.from({ length: Math.max(1, count) }, (_, i) => `"o${i}":${each}`).join()}}`
}

function longNameOverMany({ elements }: Budget, bytes: number): string {
  const name = 'n'.repeat(bytes / 2)
  const count = Math.min(elements - 10, Math.floor(bytes / 2 / 8))
  return `{"${name}":{${'"a":1,'.repeat(count)}"a":1}}`
}

type Filler = (budget: Budget, bytes: number) => string
type Fillers = [kind: string, filler: Filler][]

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
      ['x', 'a b ', '9'].map((piece): [string, Filler] => [
        `"${piece}" again and again`,
        (_, bytes) =>
          `"${piece.repeat(Math.min(schema.maxLength ?? Infinity, bytes - 500) / piece.length)}"`,
      ]),
    ]
  else if (schema.type === 'array')
    yield [
      at,
      [
        [
          'items',
          ({ elements }, bytes) => {
            const item = JSON.stringify(sampleOf(schema.items ?? {}))
            const valuesOfItem = item.split(/[,[{]/).length
            const fitting = Math.min((elements - 200) / valuesOfItem, (bytes - 500) / (item.length + 1))
            return `[${`${item},`.repeat(Math.max(1, Math.floor(fitting)) - 1)}${item}]`
          },
        ],
        [
          'ones',
          ({ elements }, bytes) => `[${'1,'.repeat(Math.min(elements - 200, Math.floor((bytes - 500) / 2)) - 1)}1]`,
        ],
      ],
    ]
  else if (schema.propertyNames !== undefined || typeof schema.additionalProperties === 'object')
    yield [
      at,
      [JSON.stringify(sampleOf((schema.additionalProperties as Schema | undefined) ?? {})), '[]'].map(
        (value): [string, Filler] => [
          `members ${value}`,
          ({ elements }, bytes) => {
            const values = 1 + value.split(/[,[{]/).length
            const fitting = Math.min((elements - 200) / values, (bytes - 500) / (value.length + 12))
            const count = Math.floor(Math.min(fitting, maxProperties))
            return `{${Array.from({ length: count }, (_, i) => `"k${i}":${value}`).join()}}`
          },
        ],
      ),
    ]
  // Anything is allowed in what the schema does not describe: a component, a map.
  else if (schema.type === undefined && schema.anyOf === undefined && schema.oneOf === undefined && schema.enum === undefined && at.length > 0)
    yield [
      at,
      [['a deep value', (_, bytes) => `${'[['.repeat(240)}"${'x'.repeat(bytes / 2)}"${']]'.repeat(240)}`]],
    ]
}

/** The smallest value that fits the schema, with every property. */
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

/** The sample as text, with a different text at a place; it need not fit the schema. */
function withText(sample: unknown, place: readonly string[], text: string): string {
  const [first, ...rest] = place
  if (first === undefined) return text
  const object = typeof sample === 'object' && sample !== null && !Array.isArray(sample) ? sample : {}
  const members = Object.entries(object).filter(([name]) => name !== first)
  const inner = withText((object as Record<string, unknown>)[first], rest, text)
  return `{${[...members.map(([name, value]) => `${JSON.stringify(name)}:${JSON.stringify(value)}`), `${JSON.stringify(first)}:${inner}`].join()}}`
}
