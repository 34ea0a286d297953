// A small description for tests: a ledger with a circle, a nullable member, exact numbers and a shared parameter.
import { nobleSha256 } from '#kernel/change/sha256.ts'
import { importDescription, type ImportedDescription } from './import-description.ts'

type Json = Record<string, unknown>

export const schemas = {
  Entry: {
    type: 'object',
    required: ['id', 'amount'],
    properties: {
      id: { type: 'string', format: 'int64', readOnly: true },
      amount: { type: 'number', format: 'decimal', minimum: 0 },
      currency: { type: 'string', enum: ['EUR', 'CHF'] },
      booked: { type: 'string', format: 'date' },
      at: { type: ['string', 'null'], format: 'date-time' },
      account: { $ref: '#/components/schemas/Account' },
    },
  },
  Account: {
    type: 'object',
    description: 'A node of the chart of accounts.',
    properties: {
      name: { type: 'string', maxLength: 40 },
      children: { type: 'array', items: { $ref: '#/components/schemas/Account' } },
    },
  },
  Unused: { type: 'string' },
}

export const ledger: Json = {
  openapi: '3.1.0',
  info: { title: 'Ledger', version: '1.0.0' },
  servers: [{ url: 'https://ledger.example.com' }],
  paths: {
    '/entries': {
      get: {
        operationId: 'listEntries',
        parameters: [
          { name: 'limit', in: 'query', schema: { type: 'integer', maximum: 100 } },
          { name: 'tag', in: 'query', schema: { type: 'array', items: { type: 'string' } } },
        ],
        responses: { 200: jsonResponse({ type: 'array', items: { $ref: '#/components/schemas/Entry' } }) },
      },
      post: {
        operationId: 'createEntry',
        summary: 'Books an entry.',
        requestBody: {
          required: true,
          content: { 'application/json': { schema: { $ref: '#/components/schemas/Entry' } } },
        },
        responses: { 201: jsonResponse({ $ref: '#/components/schemas/Entry' }) },
      },
    },
    '/accounts/{id}': {
      parameters: [{ name: 'id', in: 'path', required: true, schema: { type: 'string' } }],
      get: { responses: { 200: jsonResponse({ $ref: '#/components/schemas/Account' }) } },
    },
  },
  components: { schemas },
}

export function jsonResponse(schema: unknown): Json {
  return { description: 'OK', content: { 'application/json': { schema } } }
}

/** A description with one operation `get` that responds with the schema. */
export function describing(schema: unknown, components: Json = {}, openapi = '3.1.0'): Json {
  const get = { operationId: 'get', responses: { 200: jsonResponse(schema) } }
  return { openapi, info: {}, paths: { '/': { get } }, components: { schemas: components } }
}

export function importJson(description: unknown, operations?: readonly string[]): ImportedDescription {
  const source = { text: JSON.stringify(description), name: 'ledger.json' }
  return importDescription(source, { operations, sha256: nobleSha256 })
}

/** A deep copy, changed. */
export function changed<T>(value: T, change: (copy: T) => void): T {
  const copy = structuredClone(value)
  change(copy)
  return copy
}
