// Requests and responses of an operation.
import { describe, expect, it } from 'vitest'
import { parseDecimal } from '#kernel/decimal/decimal.ts'
import { Instant } from '#kernel/expr/values.ts'
import { changed, importJson, ledger } from '../fixture.ts'
import { openService } from './open-service.ts'
import { readResponse } from './read-response.ts'
import { writeRequest, type CallArguments } from './write-request.ts'

// eslint-disable-next-line @typescript-eslint/no-explicit-any -- descriptions are changed in any place
type Any = any

const opened = (description: unknown = ledger) => {
  const { bundle, types } = importJson(description)
  return openService(bundle, types)
}
const number = (text: string) => parseDecimal(text)!
const request = (name: string, args: CallArguments, description?: unknown): Any =>
  writeRequest(opened(description).operation(name)!, args)

it('opens each operation once, and none that does not exist', () => {
  const service = opened()
  expect(service.operation('createEntry')).toBe(service.operation('createEntry'))
  expect(service.operation('constructor')).toBeNull()
})

describe('a request', () => {
  it('has its parameters in their places', () => {
    expect(request('listEntries', { limit: number('10'), tag: ['a b', 'c'] }).request).toEqual({
      ...{ method: 'GET', path: '/entries', query: 'limit=10&tag=a%20b&tag=c', headers: {}, body: null },
    })
    expect(request('GET /accounts/{id}', { id: 'a/b' }).request.path).toBe('/accounts/a%2Fb')
  })

  it('has an exact body', () => {
    const body = { amount: number('9007199254740993.01'), currency: 'EUR' }
    expect(request('createEntry', { body }).request).toMatchObject({
      ...{
        method: 'POST',
        body: { mediaType: 'application/json', text: '{"amount":9007199254740993.01,"currency":"EUR"}' },
      },
    })
  })

  it.each<[string, CallArguments, string, string]>([
    [
      'listEntries',
      { limits: null },
      '/limits',
      'listEntries has no parameter "limits". Did you mean "limit"?',
    ],
    ['listEntries', { limit: number('101') }, '/limit', 'The value must be at most 100.'],
    ['listEntries', { limit: number('1.5') }, '/limit', 'The value must be a whole number.'],
    ['listEntries', { body: 'x' }, '/body', 'listEntries has no parameter "body".'],
    ['GET /accounts/{id}', {}, '/id', 'GET /accounts/{id} requires the parameter "id". Specify it.'],
    ['GET /accounts/{id}', { id: '..' }, '/id', 'The path parameter "id" cannot be "..".'],
    ['GET /accounts/{id}', { id: '' }, '/id', 'The path parameter "id" cannot be "".'],
    ['createEntry', {}, '/body', 'createEntry requires a body. Specify "body".'],
    ['createEntry', { body: { currency: 'EUR' } }, '/body', 'The value must have the member "amount".'],
    ['createEntry', { body: { amount: number('-1') } }, '/body/amount', '/amount must be at least 0.'],
  ])('%s with %j is refused', (name, args, pointer, message) => {
    expect(request(name, args)).toEqual({ ok: false, issue: { pointer, message } })
  })

  it('can have headers, cookies and a form', () => {
    const description = changed(ledger, (copy: Any) => {
      const { post } = copy.paths['/entries']
      post.parameters = [
        { name: 'X-Tenant', in: 'header', required: true, schema: { type: 'string' } },
        { name: 'session', in: 'cookie', schema: { type: 'string' } },
      ]
      const schema = {
        type: 'object',
        properties: {
          a: { type: 'string' },
          tags: { type: 'array', items: {} },
          deep: { type: 'object', additionalProperties: {} },
          json: { type: 'object', additionalProperties: {} },
        },
      }
      post.requestBody = {
        content: {
          'application/x-www-form-urlencoded': {
            schema,
            encoding: { deep: { style: 'deepObject', explode: true } },
          },
        },
      }
    })
    const body = { a: 'x&y', tags: ['1', '2'], deep: { b: { c: '3' } }, json: { d: number('4') } }
    expect(
      request('createEntry', { 'X-Tenant': 't', session: 's 1', body }, description).request,
    ).toMatchObject({
      headers: { 'X-Tenant': 't', Cookie: 'session=s%201' },
      body: {
        mediaType: 'application/x-www-form-urlencoded',
        text: 'a=x%26y&tags=1&tags=2&deep[b][c]=3&json=%7B%22d%22%3A4%7D',
      },
    })
    expect(request('createEntry', { 'X-Tenant': 'a\r\nb', body }, description).issue.message).toContain(
      'cannot have',
    )
  })
})

describe('a response', () => {
  const response = (status: number, text: string, mediaType?: string, name = 'createEntry'): Any =>
    readResponse(opened().operation(name)!, { status, text, mediaType })

  it('is checked and converted', () => {
    const { value } = response(
      201,
      '{"id":"9007199254740993","amount":1.10,"at":"2026-01-31T12:00:00Z","extra":[1]}',
      'application/json; charset=utf-8',
    )
    expect(value.id).toEqual(number('9007199254740993'))
    expect(value.amount).toEqual(number('1.1'))
    expect(value.at).toBeInstanceOf(Instant)
    expect(value.extra).toEqual([number('1')])
  })

  it.each([
    [201, '{"id":"1"}', undefined, 'The value must have the member "amount".'],
    [
      201,
      '{"id":"x","amount":1}',
      undefined,
      '/id must be a whole number from -9223372036854775808 to 9223372036854775807.',
    ],
    [201, '{"id":', undefined, 'The response 201 of createEntry is not valid JSON.'],
    [201, '<html>', 'text/html', 'The response 201 of createEntry has the media type text/html, not JSON.'],
    [204, '', undefined, 'The response 204 of createEntry has no body.'],
    [200, '', undefined, 'The response 200 of createEntry has no body.'],
    [200, '{"id":{}}', undefined, expect.stringMatching(/^\/id must be/) as string],
    [201, '', undefined, 'The response 201 of createEntry has no body.'],
  ])('%i %j is refused', (status, text, mediaType, message) => {
    expect(response(status, text, mediaType)).toEqual({
      ok: false,
      issue: expect.objectContaining({ message }),
    })
  })

  it.each([
    [500, '{"error":1}', 'application/json', { error: number('1') }],
    [500, 'Bad Gateway', 'text/html', 'Bad Gateway'],
    [503, '', undefined, null],
  ])('%i %j that is not described and no success has any type', (status, text, mediaType, value) => {
    expect(response(status, text, mediaType)).toEqual({ ok: true, value })
  })
})
