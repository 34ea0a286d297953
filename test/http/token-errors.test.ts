// Errors of the token endpoint are in OAuth's own body, at every place (RFC 6749, 5.2).
import { afterAll, beforeAll, expect, it } from 'vitest'
import { runningServer, type TestServer } from '../support/running-server.ts'

let test: TestServer
beforeAll(async () => {
  test = await runningServer()
})
afterAll(() => test.close())

const formType = 'application/x-www-form-urlencoded'

it.each([
  ['JSON', 'POST', '{"grant_type":"client_credentials"}', 'application/json', 400],
  ['malformed JSON', 'POST', '{', 'application/json', 400],
  ['text', 'POST', 'grant_type=client_credentials', 'text/plain', 400],
  ['a form without a grant type', 'POST', 'a=b', formType, 400],
  ['a parameter that is sent twice', 'POST', 'grant_type=a&grant_type=b', formType, 400],
  ['a form in an unknown charset', 'POST', 'grant_type=a', `${formType}; charset=klingon`, 400],
  ['an endless form', 'POST', `grant_type=${'a'.repeat(20_000)}`, formType, 413],
  ['a different method', 'PUT', 'grant_type=client_credentials', formType, 405],
])('responds to %s with invalid_request', async (_title, method, body, type, status) => {
  const refused = await test.plain(method, '/oauth2/token', body, { 'content-type': type })
  expect(refused.status).toBe(status)
  expect(refused.headers.get('content-type')).toMatch(/^application\/json/)
  expect(refused.headers.get('cache-control')).toBe('no-store')
  expect(refused.body).toEqual({
    error: 'invalid_request',
    error_description: expect.any(String) as string,
  })
  if (status === 405) expect(refused.headers.get('allow')).toBe('OPTIONS, POST')
})

it('the platform’s envelope is used elsewhere', async () => {
  const { body } = await test.plain('PUT', '/healthz', '', {})
  expect(body['code']).toBe('protocol.method_not_allowed')
})
