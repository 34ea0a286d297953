// Types of schemas and operations.
import { describe, expect, it } from 'vitest'
import type { ServiceType } from '#kernel/components/external-service/service-types.ts'
import { describing, importJson, jsonResponse, ledger } from '../fixture.ts'

const imported = (schema: unknown, components = {}) => importJson(describing(schema, components))
const typeOf = (schema: unknown): ServiceType => imported(schema).types.operations[0]!.result

const [text, decimal, dyn] = [{ kind: 'text' }, { kind: 'decimal' }, { kind: 'dyn' }]
const nullable = (type: object): object => ({ ...type, nullable: true })

describe('the type of a schema', () => {
  it.each([
    [{ type: 'string' }, text],
    [{ type: 'boolean' }, { kind: 'boolean' }],
    [{ type: 'number' }, decimal],
    [{ type: 'number', format: 'double' }, decimal],
    [{ type: 'number', format: 'decimal' }, decimal],
    [{ type: 'integer' }, { kind: 'decimal', integer: true }],
    [
      { type: 'integer', format: 'int64' },
      { kind: 'decimal', integer: true },
    ],
    [
      { type: 'string', format: 'int64' },
      { kind: 'decimal', integer: true, wire: 'text' },
    ],
    [
      { type: 'string', format: 'decimal' },
      { kind: 'decimal', wire: 'text' },
    ],
    [{ type: 'string', format: 'date' }, { kind: 'date' }],
    [{ type: 'string', format: 'date-time' }, { kind: 'datetime' }],
    [{ type: 'string', format: 'email' }, text],
    [{ type: 'null' }, { kind: 'absent' }],
    [true, dyn],
    [{}, dyn],
    [{ type: 'object' }, dyn],
    [
      { type: 'string', enum: ['a', 'b'] },
      { kind: 'text', values: ['a', 'b'] },
    ],
    [{ enum: ['a', 'b'] }, { kind: 'text', values: ['a', 'b'] }],
    [{ enum: ['a', null] }, nullable({ kind: 'text', values: ['a'] })],
    [{ const: 'a' }, { kind: 'text', values: ['a'] }],
    [{ enum: [1, 2] }, decimal],
    [{ type: ['string', 'null'] }, nullable(text)],
    [{ type: ['null', 'string'], format: 'date' }, nullable({ kind: 'date' })],
    [{ anyOf: [{ type: 'string' }, { type: 'null' }] }, nullable(text)],
    [{ oneOf: [{ type: 'string', format: 'date' }, { type: 'null' }] }, nullable({ kind: 'date' })],
    [{ type: 'string', anyOf: [{ minLength: 1 }, { type: ['string', 'null'] }] }, dyn],
    [
      { type: 'array', items: { type: 'number' } },
      { kind: 'list', of: decimal },
    ],
    [{ type: 'array' }, { kind: 'list', of: dyn }],
    [
      { type: 'array', prefixItems: [{ type: 'number' }] },
      { kind: 'list', of: dyn },
    ],
    [
      {
        oneOf: [
          { type: 'string', enum: ['a'] },
          { type: 'string', enum: ['b'] },
        ],
      },
      { kind: 'text', values: ['a', 'b'] },
    ],
    [{ oneOf: [{ type: 'integer' }, { type: 'number' }] }, decimal],
    [
      {
        anyOf: [
          { type: 'array', items: { type: 'number' } },
          { type: 'array', items: { type: 'integer' } },
        ],
      },
      { kind: 'list', of: decimal },
    ],
    [{ allOf: [{ type: 'string' }, { minLength: 1 }] }, text],
    [{ allOf: [{ type: ['string', 'null'] }, { type: 'string' }] }, text],
    [{ type: ['integer', 'number'] }, decimal],
  ])('%j is %j', (schema, type) => {
    expect(typeOf(schema)).toEqual(type)
  })

  it.each([
    [{ type: ['string', 'number'] }, 'is string or number'],
    [{ oneOf: [{ type: 'string' }, { type: 'number' }] }, 'is one of several types'],
    [{ oneOf: [{ properties: { a: {} } }, { properties: { b: {} } }] }, 'is one of several types'],
    [{ allOf: [{ type: 'string' }, { type: 'number' }] }, 'combines schemas that have no common type'],
    [{ oneOf: [{ type: 'string', format: 'decimal' }, { type: 'number' }] }, 'is one of several types'],
    [{ type: 'strng' }, 'has the unknown type "strng"'],
  ])('%j is unknown, with a warning', (schema, reason) => {
    const { types, warnings } = imported(schema)
    expect(types.operations[0]!.result).toEqual(dyn)
    expect(warnings).toEqual([
      {
        place: 'The response 200 of get',
        message: `The response 200 of get ${reason}, so expressions cannot check it.`,
      },
    ])
  })

  it('is found for members at their place', () => {
    const { warnings } = imported({
      type: 'array',
      items: { properties: { a: { type: ['string', 'number'] } } },
    })
    expect(warnings.map(({ place }) => place)).toEqual(['The response 200 of get[]/a'])
  })
})

it('warns of patterns that are not checked', () => {
  const { warnings } = imported({
    properties: { a: { pattern: '^(?=x)' }, b: { pattern: '^x' }, c: { pattern: '^(?=x)' } },
  })
  expect(warnings.map(({ place }) => place)).toEqual(['^(?=x)'])
})

describe('an object type', () => {
  it('has its members, in any direction', () => {
    const { Entry, Account } = importJson(ledger).types.objects
    expect(Entry!.members).toEqual([
      {
        key: 'account',
        type: { kind: 'object', name: 'Account' },
        required: false,
        description: 'A node of the chart of accounts.',
      },
      { key: 'amount', type: decimal, required: true },
      { key: 'at', type: nullable({ kind: 'datetime' }), required: false },
      { key: 'booked', type: { kind: 'date' }, required: false },
      { key: 'currency', type: { kind: 'text', values: ['EUR', 'CHF'] }, required: false },
      { key: 'id', type: { kind: 'decimal', integer: true, wire: 'text' }, required: true, only: 'response' },
    ])
    expect(Account!.members[0]).toMatchObject({
      key: 'children',
      type: { kind: 'list', of: { kind: 'object', name: 'Account' } },
    })
  })

  it('is a tree that can end', () => {
    const components = {
      T: { type: ['object', 'null'], properties: { left: { $ref: '#/components/schemas/T' } } },
    }
    const { types } = imported({ $ref: '#/components/schemas/T' }, components)
    expect(types.operations[0]!.result).toEqual({ kind: 'object', name: 'T', nullable: true })
    expect(types.objects.T!.members[0]!.type).toEqual({ kind: 'object', name: 'T', nullable: true })
  })

  it('has the members of all that it combines', () => {
    const components = { Base: { type: 'object', required: ['a'], properties: { a: { type: 'string' } } } }
    const { types } = imported(
      { allOf: [{ $ref: '#/components/schemas/Base' }, { properties: { b: { type: 'number' } } }] },
      components,
    )
    expect(types.objects.Get200!.members).toEqual([
      { key: 'a', type: text, required: true },
      { key: 'b', type: decimal, required: false },
    ])
  })

  it('can have members of one type with any name', () => {
    const { types } = imported({ type: 'object', additionalProperties: { type: 'integer' } })
    expect(types.objects.Get200).toEqual({ members: [], others: { kind: 'decimal', integer: true } })
  })

  it('has a name of its own', () => {
    const schema = {
      properties: { Operations: { properties: { a: {} } }, x: { $ref: '#/components/schemas/Operations' } },
    }
    const { types } = imported(schema, { Operations: { properties: { b: {} } }, '1-x': {} })
    expect(Object.keys(types.objects)).toEqual(['Get200', 'Get200Operations', 'Operations2'])
  })

  it.each([
    ['a list of itself', { L: { type: 'array', items: { $ref: '#/components/schemas/L' } } }],
    ['a choice of itself', { L: { oneOf: [{ $ref: '#/components/schemas/L' }, { type: 'string' }] } }],
    ['all of itself', { L: { allOf: [{ $ref: '#/components/schemas/L' }, { type: 'object' }] } }],
  ])('is not needed to end %s', (_, components) => {
    expect(imported({ $ref: '#/components/schemas/L' }, components).types.operations).toHaveLength(1)
  })
})

describe('an operation', () => {
  const operation = (members: object): ReturnType<typeof importJson>['types']['operations'][number] =>
    importJson({
      openapi: '3.1.0',
      info: {},
      paths: { '/x/{id}': { post: { operationId: 'x', ...members } } },
    }).types.operations[0]!

  it('has parameters by name; by place too if two share a name', () => {
    const parameters = [
      { name: 'id', in: 'path', schema: { type: 'string' } },
      { name: 'id', in: 'header', schema: { type: 'integer' } },
      { name: 'q', in: 'query', content: { 'application/json': { schema: { type: 'boolean' } } } },
      { name: 'Authorization', in: 'header', schema: {} },
    ]
    expect(operation({ parameters }).parameters).toEqual([
      {
        key: 'header_id',
        name: 'id',
        in: 'header',
        required: false,
        type: { kind: 'decimal', integer: true },
      },
      { key: 'path_id', name: 'id', in: 'path', required: true, type: text },
      { key: 'q', name: 'q', in: 'query', required: false, type: { kind: 'boolean' } },
    ])
  })

  it.each([
    [{ 200: jsonResponse({ type: 'string' }) }, text],
    [{ 200: jsonResponse({ type: 'string' }), 204: {} }, nullable(text)],
    [{ 200: jsonResponse({ type: 'string' }), 201: jsonResponse({ type: 'string' }) }, text],
    [{ 200: jsonResponse({ type: 'string' }), 404: jsonResponse({ type: 'number' }) }, text],
    [{ 204: {} }, { kind: 'absent' }],
    [{ default: jsonResponse({ type: 'string' }) }, text],
    [{ '2XX': jsonResponse({ type: 'string' }), default: {} }, text],
    [{ 200: jsonResponse({ type: 'string' }), 202: jsonResponse({ type: 'number' }) }, dyn],
    [{ 200: { content: { 'text/plain': {} } } }, text],
    [{ 200: { content: { 'image/png': {} } } }, dyn],
    [
      {
        200: {
          content: { 'application/xml': {}, 'application/problem+json; v=1': { schema: { type: 'string' } } },
        },
      },
      text,
    ],
  ])('with the responses %j results in %j', (responses, result) => {
    expect(operation({ responses }).result).toEqual(result)
  })

  it('has the body of its preferred media type', () => {
    const content = {
      'text/csv': {},
      'application/x-www-form-urlencoded': { schema: { properties: { a: { type: 'string' } } } },
    }
    expect(operation({ requestBody: { content } }).body).toMatchObject({
      ...{
        required: false,
        mediaType: 'application/x-www-form-urlencoded',
        type: { kind: 'object', name: 'XBody' },
      },
    })
  })
})
