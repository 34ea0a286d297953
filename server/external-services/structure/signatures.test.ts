// Hashes and signatures: what does not count, and that every structural change does.
import { dump } from 'js-yaml'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { nobleSha256 } from '#kernel/change/sha256.ts'
import { changed, describing, importJson, ledger } from '../fixture.ts'
import { importDescription, type ImportedDescription } from '../import-description.ts'

// eslint-disable-next-line @typescript-eslint/no-explicit-any -- descriptions are changed in any place
type Any = any

const signatures = ({ operations }: ImportedDescription): string[] =>
  operations.map(({ signature }) => signature)
const original = importJson(ledger)

/** The same content with its keys in the order of the numbers. */
function shuffled(value: Any, order: (count: number) => number): Any {
  if (Array.isArray(value)) return value.map((item) => shuffled(item, order))
  if (typeof value !== 'object' || value === null) return value
  const entries = Object.entries(value).map(([key, item]) => [key, shuffled(item, order)] as const)
  for (let at = entries.length - 1; at > 0; at -= 1) {
    const other = order(at + 1)
    ;[entries[at], entries[other]] = [entries[other]!, entries[at]!]
  }
  return Object.fromEntries(entries)
}

describe('the same description', () => {
  it('has the same hash and signatures in any order of its keys, as JSON and as YAML', () => {
    fc.assert(
      fc.property(
        fc.infiniteStream(fc.nat()),
        fc.boolean(),
        fc.integer({ min: 0, max: 8 }),
        (numbers, asYaml, indent) => {
          const copy = shuffled(ledger, (count) => numbers.next().value! % count)
          const text = asYaml ? dump(copy, { indent: indent + 1 }) : JSON.stringify(copy, null, indent)
          const again = importDescription({ text, name: 'ledger' }, { sha256: nobleSha256 })
          expect(again.hash).toBe(original.hash)
          expect(again.types).toEqual(original.types)
          expect(signatures(again)).toEqual(signatures(original))
        },
      ),
      { numRuns: 50 },
    )
  })

  it('has the same hash when its bundle is imported', () => {
    const again = importJson(original.bundle)
    expect([again.hash, signatures(again)]).toEqual([original.hash, signatures(original)])
  })

  it('has its recipe in the hash', () => {
    expect(original.hash).toBe('oas1:sha256:154e4939206a48335dc71d3db687c3f84ca13e3d5c467893afba776e7f1e6857')
  })
})

const without: [string, (copy: Any) => void][] = [
  ['servers', (copy) => (copy.servers = [{ url: 'https://new.example.com' }])],
  ['security', (copy) => (copy.security = [{ key: [] }])],
  ['security of an operation', (copy) => (copy.paths['/entries'].get.security = [])],
  [
    'security schemes',
    (copy) => {
      copy.security = [{ key: [] }]
      copy.components.securitySchemes = { key: { type: 'apiKey', in: 'header', name: 'X-Key' } }
    },
  ],
  ['the order of parameters', (copy) => copy.paths['/entries'].get.parameters.reverse()],
  ['the order of "required"', (copy) => copy.components.schemas.Entry.required.reverse()],
  ['the order of "enum"', (copy) => copy.components.schemas.Entry.properties.currency.enum.reverse()],
  ['the order of types', (copy) => copy.components.schemas.Entry.properties.at.type.reverse()],
  ['a component that nothing uses', (copy) => delete copy.components.schemas.Unused],
]

it.each(without)('%s do not count at all', (_, change) => {
  const other = importJson(changed(ledger, change))
  expect([other.hash, signatures(other)]).toEqual([original.hash, signatures(original)])
})

const described: [string, (copy: Any) => void][] = [
  ['a description', (copy) => (copy.components.schemas.Account.description = 'Another text.')],
  ['the version', (copy) => (copy.info.version = '1.0.1')],
  ['an example', (copy) => (copy.components.schemas.Entry.properties.id.examples = ['7'])],
  ['a default', (copy) => (copy.components.schemas.Entry.properties.currency.default = 'EUR')],
  ['a title', (copy) => (copy.components.schemas.Entry.title = 'Entry')],
  ['a summary', (copy) => (copy.paths['/entries'].get.summary = 'Lists entries.')],
  ['an extension', (copy) => (copy.components.schemas.Entry['x-note'] = 1)],
  [
    'a response header',
    (copy) => (copy.paths['/entries'].get.responses[200].headers = { 'X-Total': { schema: {} } }),
  ],
]

it.each(described)('%s counts in the hash, but not in signatures', (_, change) => {
  const other = importJson(changed(ledger, change))
  expect(other.hash).not.toBe(original.hash)
  expect(signatures(other)).toEqual(signatures(original))
})

it.each(
  Object.entries({
    ...{
      const: 1,
      contentEncoding: 'base64',
      contentMediaType: 'text/csv',
      enum: [1],
      format: 'date',
      type: 'string',
    },
    ...{
      exclusiveMaximum: 1,
      exclusiveMinimum: 1,
      maximum: 1,
      minimum: 1,
      multipleOf: 1,
      maxLength: 1,
      minLength: 1,
    },
    ...{ maxItems: 1, minItems: 1, maxContains: 1, minContains: 1, maxProperties: 1, minProperties: 1 },
    ...{ pattern: 'a', readOnly: true, writeOnly: true, uniqueItems: true, required: ['a'] },
    ...{ dependentRequired: { a: ['b'] }, dependentSchemas: { a: {} }, patternProperties: { a: {} } },
    ...{
      properties: { a: {} },
      additionalProperties: false,
      unevaluatedProperties: false,
      propertyNames: {},
    },
    ...{ items: {}, prefixItems: [{}], contains: {}, unevaluatedItems: false, contentSchema: {} },
    ...{ allOf: [{}], anyOf: [{}], oneOf: [{}], not: {}, if: {}, then: {}, else: {} },
  }),
)('the keyword %s counts in signatures', (keyword, value) => {
  const signatureOf = (schema: unknown): string => signatures(importJson(describing(schema)))[0]!
  expect(signatureOf({ title: 'x', [keyword]: value })).not.toBe(signatureOf({ title: 'x' }))
  // Beside a reference too.
  const components = { A: { title: 'x' } }
  const reference = { $ref: '#/components/schemas/A' }
  const [without, beside] = [reference, { ...reference, [keyword]: value }].map(
    (schema) => signatures(importJson(describing(schema, components)))[0],
  )
  expect(beside).not.toBe(without)
})

it('names of components do not count in signatures', () => {
  const renamed = JSON.parse(
    JSON.stringify(ledger).replaceAll('Account"', 'Konto"').replaceAll('Entry"', 'Buchung"'),
  ) as unknown
  expect(signatures(importJson(renamed))).toEqual(signatures(original))
})

it('a schema counts the same in place as in a component', () => {
  const inline = changed(ledger, (copy: Any) => {
    copy.paths['/entries'].post.requestBody.content['application/json'].schema = copy.components.schemas.Entry
  })
  expect(signatures(importJson(inline))).toEqual(signatures(original))
})

describe('circles', () => {
  const list = (next: string): Any => ({
    type: 'object',
    properties: { next: { $ref: `#/components/schemas/${next}` } },
  })
  const signatureOf = (components: Record<string, unknown>): string =>
    importJson(describing({ $ref: '#/components/schemas/A' }, components)).operations[0]!.signature

  it('of one, two or three schemas with the same structure are the same', () => {
    const one = signatureOf({ A: list('A') })
    expect(signatureOf({ A: list('B'), B: list('A') })).toBe(one)
    expect(signatureOf({ A: list('B'), B: list('C'), C: list('B') })).not.toBe(
      signatureOf({ A: list('B'), B: { type: 'string' } }),
    )
  })

  it('differ if a member far inside differs', () => {
    const ring = (last: Any): Record<string, unknown> => ({
      ...Object.fromEntries(Array.from({ length: 50 }, (_, at) => [`N${at}`, list(`N${at + 1}`)])),
      ...{ A: list('N0'), N50: last },
    })
    const [a, b] = [list('A'), { ...list('A'), maxProperties: 3 }]
    expect(signatureOf(ring(a))).not.toBe(signatureOf(ring(b)))
    expect(signatureOf(ring(a))).toBe(signatureOf({ A: list('A') }))
  })

  it('that lead only to themselves are any value', () => {
    const loop = { A: { $ref: '#/components/schemas/B' }, B: { $ref: '#/components/schemas/A' } }
    expect(signatureOf(loop)).toBe(importJson(describing(true)).operations[0]!.signature)
  })

  it('are found in any graph: equal exactly if the unfolded trees are', () => {
    const nodes = fc.array(fc.record({ kind: fc.constantFrom('x', 'y'), a: fc.nat(5), b: fc.nat(5) }), {
      minLength: 6,
      maxLength: 6,
    })
    const unfold = (
      graph: readonly { kind: string; a: number; b: number }[],
      at: number,
      depth: number,
    ): string =>
      depth === 0
        ? ''
        : `${graph[at]!.kind}(${unfold(graph, graph[at]!.a, depth - 1)},${unfold(graph, graph[at]!.b, depth - 1)})`
    const componentsOf = (
      graph: readonly { kind: string; a: number; b: number }[],
    ): Record<string, unknown> =>
      Object.fromEntries(
        graph.map(({ kind, a, b }, at) => [
          at === 0 ? 'A' : `N${at}`,
          { title: `${at}`, format: kind, properties: { a: reference(a), b: reference(b) } },
        ]),
      )
    const reference = (at: number): Any => ({ $ref: `#/components/schemas/${at === 0 ? 'A' : `N${at}`}` })
    fc.assert(
      fc.property(nodes, nodes, fc.boolean(), (one, random, permute) => {
        // The same graph with its nodes in a different order, or a different one.
        const order = [0, 3, 4, 5, 1, 2]
        const other = permute
          ? order.map((at) => ({ ...one[at]!, a: order.indexOf(one[at]!.a), b: order.indexOf(one[at]!.b) }))
          : random
        const isSame = signatureOf(componentsOf(one)) === signatureOf(componentsOf(other))
        if (isSame) expect(unfold(one, 0, 11)).toBe(unfold(other, 0, 11))
        if (permute) expect(isSame).toBe(true)
      }),
      { numRuns: 200 },
    )
  })
})

it('reads chains of references that are longer than any stack', () => {
  const chain = Object.fromEntries(
    Array.from({ length: 20_000 }, (_, at) => [
      `N${at}`,
      { properties: { next: { $ref: `#/components/schemas/N${at + 1}` } } },
    ]),
  )
  const description = describing(
    { $ref: '#/components/schemas/N0' },
    { ...chain, N20000: { type: 'string' } },
  )
  expect(importJson(description).operations[0]!.signature).toMatch(/^oas1:sha256:[0-9a-f]{64}$/)
})
