// Bundling: what a bundle contains, where references lead, and how bad descriptions are refused.
import { describe, expect, it } from 'vitest'
import { AlmanacError } from '#kernel/errors/almanac-error.ts'
import { bundleDescription } from '../bundle-description.ts'
import { changed, describing, jsonResponse, ledger } from '../fixture.ts'

// eslint-disable-next-line @typescript-eslint/no-explicit-any -- descriptions are changed in any place
type Any = any

const bundleOf = (description: unknown, operations?: string[], name = 'pets.json'): Any =>
  bundleDescription({ text: JSON.stringify(description), name }, operations).bundle

function refusal(
  description: unknown,
  operations?: string[],
  name?: string,
): { code: string; message: string } {
  try {
    bundleOf(description, operations, name)
  } catch (error) {
    expect(error).toBeInstanceOf(AlmanacError)
    return error as AlmanacError
  }
  throw new Error('It was accepted.')
}

const schemaOf = (bundle: Any): Any => bundle.paths['/'].get.responses[200].content['application/json'].schema

describe('a bundle', () => {
  it('has the chosen operations and exactly what they reach', () => {
    const all = bundleOf(ledger)
    expect(Object.keys(all.components.schemas)).toEqual(['Account', 'Entry'])
    const one = bundleOf(ledger, ['GET /accounts/{id}'])
    expect(Object.keys(one.paths)).toEqual(['/accounts/{id}'])
    expect(Object.keys(one.components.schemas)).toEqual(['Account'])
    expect(one.paths['/accounts/{id}'].parameters).toHaveLength(1)
    expect(Object.keys(bundleOf(ledger, ['createEntry']).paths['/entries'])).toEqual(['post'])
  })

  it('is the same when it is bundled again', () => {
    for (const operations of [undefined, ['listEntries']]) {
      const once = bundleOf(ledger, operations)
      expect(bundleOf(once, operations)).toEqual(once)
    }
  })

  it('keeps the security schemes that its operations name, and no others', () => {
    const bundle = bundleOf(
      changed(ledger, (copy: Any) => {
        copy.security = [{ all: [] }]
        copy.paths['/entries'].get.security = [{ one: [] }, {}]
        copy.paths['/entries'].post.security = [{ two: [] }]
        copy.components.securitySchemes = { all: {}, one: {}, two: {}, none: {} }
      }),
      ['listEntries'],
    )
    expect(Object.keys(bundle.components.securitySchemes)).toEqual(['all', 'one'])
  })

  it('has no operations of methods that cannot be called', () => {
    const description = changed(ledger, (copy: Any) => {
      copy.paths['/entries'].options = { operationId: 'ask', responses: {} }
    })
    expect(Object.keys(bundleOf(description).paths['/entries'])).toEqual(['get', 'post'])
    expect(refusal(description, ['ask']).message).toMatch(/has no operation "ask"/)
  })

  it('keeps references and circles', () => {
    const { Account } = bundleOf(ledger).components.schemas
    expect(Account.properties.children.items).toEqual({ $ref: '#/components/schemas/Account' })
  })

  it('does not take data for a reference', () => {
    const data = { $ref: 'elsewhere.yaml' }
    const schema = {
      type: 'object',
      default: data,
      examples: [data],
      enum: [data],
      properties: { $ref: { type: 'string' } },
      'x-note': data,
    }
    expect(schemaOf(bundleOf(describing(schema)))).toEqual(schema)
  })

  it('keeps what a discriminator maps to', () => {
    const pet = {
      type: 'object',
      discriminator: { propertyName: 'kind', mapping: { c: 'Cat', d: '#/components/schemas/Dog' } },
    }
    const { schemas } = bundleOf(
      describing({ $ref: '#/components/schemas/Pet' }, { Pet: pet, Cat: {}, Dog: {}, Emu: {} }),
    ).components
    expect(Object.keys(schemas)).toEqual(['Cat', 'Dog', 'Pet'])
  })

  it('puts a path item in place of its reference', () => {
    const item = { get: { operationId: 'get', responses: {} }, post: { operationId: 'add', responses: {} } }
    const description = {
      openapi: '3.1.0',
      info: {},
      paths: { '/a': { $ref: '#/components/pathItems/A' } },
      components: { pathItems: { A: item } },
    }
    expect(Object.keys(bundleOf(description, ['add']).paths['/a'])).toEqual(['post'])
  })
})

describe('a reference', () => {
  const other = { get: { operationId: 'other', responses: { 200: jsonResponse({ type: 'integer' }) } } }

  it('into a path becomes a component', () => {
    const description = changed(
      describing({ $ref: '#/paths/~1other/get/responses/200/content/application~1json/schema' }),
      (copy: Any) => (copy.paths['/other'] = other),
    )
    const bundle = bundleOf(description, ['get'])
    expect(Object.keys(bundle.paths)).toEqual(['/'])
    expect(schemaOf(bundle)).toEqual({
      $ref: expect.stringContaining('#/components/schemas/paths__other_get'),
    })
    expect(Object.values(bundle.components.schemas)).toEqual([{ type: 'integer' }])
  })

  it.each([
    ['a part of a component', '#/components/schemas/A/properties/b', '#/components/schemas/A/properties/b'],
    [
      'a part behind a reference',
      '#/components/schemas/Alias/properties/b',
      '#/components/schemas/A/properties/b',
    ],
    ['an encoded name', '#/components/schemas/With%20blank', '#/components/schemas/With blank'],
    ['an anchor', '#leaf', '#/components/schemas/A/properties/b'],
    ['the identifier of a schema', 'https://schemas.example.com/tree', '#/components/schemas/Tree'],
    [
      'the description’s own address',
      'https://pets.example.com/api.json#/components/schemas/A',
      '#/components/schemas/A',
    ],
    ['the description’s own address, relative', 'api.json#/components/schemas/A', '#/components/schemas/A'],
  ])('can be to %s', (_, reference, target) => {
    const components = {
      A: { type: 'object', properties: { b: { $anchor: 'leaf', type: 'string' } } },
      Alias: { $ref: '#/components/schemas/A' },
      Tree: { $id: 'https://schemas.example.com/tree', type: 'object', properties: { below: { $ref: '#' } } },
      'With blank': { type: 'string' },
    }
    const bundle = bundleOf(
      describing({ $ref: reference }, components),
      undefined,
      'https://pets.example.com/api.json',
    )
    expect(schemaOf(bundle)).toEqual({ $ref: target })
    const { Tree } = bundle.components.schemas
    if (Tree !== undefined) expect(Tree).toEqual({ type: 'object', properties: { below: { $ref: target } } })
  })

  it.each([
    ['a file', './pet.yaml', /refers to ".\/pet.yaml", which is outside the description\. Bundle/],
    ['another address', 'https://other.example.com/pet.json', /outside the description/],
    ['the file system', 'file:///etc/passwd', /outside the description/],
    [
      'nothing',
      '#/components/schemas/Gone',
      /^\/paths\/~1\/get\/responses\/200\/content\/application~1json\/schema in pets.json refers to "#\/components\/schemas\/Gone", which does not exist/,
    ],
    ['an inherited member', '#/components/schemas/constructor', /does not exist/],
    ['an anchor that is not there', '#nowhere', /outside the description|does not exist/],
    [
      'a part of the wrong kind',
      '#/components/responses/Ok',
      /must be a schema, but "#\/components\/responses\/Ok" is a response/,
    ],
    ['a circle without end', '#/components/schemas/Loop/properties/x', /does not exist/],
  ])('is refused if it leads to %s', (_, reference, message) => {
    const description: Any = describing({ $ref: reference }, { Loop: { $ref: '#/components/schemas/Loop' } })
    description.components.responses = { Ok: { description: 'OK' } }
    expect(refusal(description)).toMatchObject({
      code: 'description.invalid',
      message: expect.stringMatching(message),
    })
  })

  it('that is broken does not matter to operations that do not use it', () => {
    const description: Any = changed(
      ledger,
      (copy: Any) => (copy.paths['/entries'].post.requestBody = { $ref: 'gone.yaml' }),
    )
    expect(Object.keys(bundleOf(description, ['listEntries']).paths)).toEqual(['/entries'])
  })
})

describe('operations', () => {
  it.each([
    [['listEntry'], /has no operation "listEntry"\. Did you mean "listEntries"\?/],
    [['GET /account/{id}'], /Did you mean "GET \/accounts\/{id}"\?/],
    [['constructor'], /has no operation "constructor"/],
  ])('that do not exist are named: %s', (operations, message) => {
    expect(refusal(ledger, operations).message).toMatch(message)
  })

  it('that share a name are both named', () => {
    const description = changed(
      ledger,
      (copy: Any) => (copy.paths['/entries'].post.operationId = 'listEntries'),
    )
    expect(refusal(description).message).toMatch(
      /called "listEntries": \/paths\/~1entries\/get and \/paths\/~1entries\/post/,
    )
    expect(bundleOf(description, ['GET /accounts/{id}'])).toBeDefined()
  })

  it('can be absent', () => {
    expect(refusal({ openapi: '3.1.0', info: {}, webhooks: {} }).message).toMatch(
      /does not describe any operation/,
    )
  })
})

describe('a format', () => {
  it.each([
    [{ openapi: '3.2.0' }, /is OpenAPI 3\.2, which is not supported. Export it as OpenAPI 3\.1/],
    [{ swagger: '2.0' }, /is Swagger 2\.0, .*Convert it/],
    [{ swagger: 2 }, /is Swagger 2\.0/],
    [{ asyncapi: '3.0.0' }, /is AsyncAPI/],
    [{ openapi: '4.0.0' }, /has the OpenAPI version "4\.0\.0"/],
    [{ openapi: 3.1 }, /has no "openapi" member/],
    [{}, /has no "openapi" member/],
  ])('is refused by name: %j', (description, message) => {
    expect(refusal(description)).toMatchObject({
      code: 'description.unsupported',
      message: expect.stringMatching(message),
    })
  })
})

describe('something else in place of an object', () => {
  const places: [string, (copy: Any, value: unknown) => void][] = [
    ['/paths', (copy, value) => (copy.paths = value)],
    ['/paths/~1entries', (copy, value) => (copy.paths['/entries'] = value)],
    ['/paths/~1entries/get/parameters', (copy, value) => (copy.paths['/entries'].get.parameters = value)],
    ['/paths/~1entries/get/responses', (copy, value) => (copy.paths['/entries'].get.responses = value)],
    [
      '/paths/~1entries/get/responses/200',
      (copy, value) => (copy.paths['/entries'].get.responses[200] = value),
    ],
    ['/paths/~1entries/post/requestBody', (copy, value) => (copy.paths['/entries'].post.requestBody = value)],
    ['/components/schemas/Entry', (copy, value) => (copy.components.schemas.Entry = value)],
    [
      '/components/schemas/Entry/properties',
      (copy, value) => (copy.components.schemas.Entry.properties = value),
    ],
    [
      '/components/schemas/Entry/properties/id',
      (copy, value) => (copy.components.schemas.Entry.properties.id = value),
    ],
  ]
  const values = [null, 1, 'text', [], [1]]

  it.each(places.flatMap(([place, put]) => values.map((value) => [place, value, put] as const)))(
    'at %s is named: %j',
    (place, value, put) => {
      const isList = Array.isArray(value)
      if (place.endsWith('parameters') && isList && value.length === 0) return
      const error = refusal(changed(ledger, (copy) => put(copy, value)))
      expect(error.code).toBe('description.invalid')
      expect(error.message).toContain(place)
    },
  )
})
