import { describe, expect, it } from 'vitest'
import { response } from './token-fixture.ts'
import type { TokenResponse } from './token-call.ts'
import { readTokenResponse } from './token-response.ts'

const now = '2026-03-01T10:00:00.000Z'
const token = { access_token: 'a', token_type: 'Bearer' }

describe('readTokenResponse', () => {
  it.each<[string, object, object]>([
    ['the least', token, { accessToken: 'a', expiresInSec: null, refreshToken: null }],
    [
      'everything',
      {
        ...token,
        token_type: 'bearer',
        expires_in: 3600,
        refresh_token: 'r',
        scope: 'a b',
        id_token: 'x.y.z',
      },
      { accessToken: 'a', expiresInSec: 3600, refreshToken: 'r' },
    ],
    [
      'seconds as text',
      { ...token, expires_in: '3599' },
      { accessToken: 'a', expiresInSec: 3599, refreshToken: null },
    ],
    [
      '0 for no expiry',
      { ...token, expires_in: 0, refresh_token: null },
      { accessToken: 'a', expiresInSec: null, refreshToken: null },
    ],
  ])('reads %s', (_, body, tokens) => {
    expect(readTokenResponse(response(200, body), now)).toEqual({ kind: 'issued', tokens })
  })

  it.each<[string, TokenResponse, string]>([
    ['no token', response(200, {}), 'access_token in its response'],
    ['a token that is not text', response(200, { ...token, access_token: 1 }), 'access_token'],
    ['a token with a line break', response(200, { ...token, access_token: 'a\r\nX: y' }), 'access_token'],
    ['no type', response(200, { access_token: 'a' }), 'token_type'],
    ['a type that needs a proof', response(200, { ...token, token_type: 'DPoP' }), 'token_type'],
    ['a life that is over', response(200, { ...token, expires_in: -1 }), 'expires_in'],
    ['a life in words', response(200, { ...token, expires_in: 'an hour' }), 'expires_in'],
    ['an empty refresh token', response(200, { ...token, refresh_token: '' }), 'refresh_token'],
    ['a list', { status: 200, headers: {}, text: '[]' }, 'not a JSON object'],
    ['nothing', { status: 200, headers: {}, text: '' }, 'not a JSON object'],
    ['an error with the status 200', response(200, { error: 'invalid_scope' }), 'invalid_scope'],
    ['an error of its own', response(200, { error: 'canary' }), 'not standard'],
    ['a standard error', response(400, { error: 'unauthorized_client' }), 'unauthorized_client'],
    ['an inherited name', response(400, { error: 'constructor' }), 'the status 400'],
    ['a page', { status: 403, headers: {}, text: '<html>' }, 'the status 403'],
    ['a redirect', { status: 307, headers: { location: 'https://canary' }, text: '' }, 'redirects'],
  ])('refuses %s', (_, given, reason) => {
    expect(readTokenResponse(given, now)).toEqual({
      kind: 'refused',
      reason: expect.stringContaining(reason),
    })
  })

  it.each([200, 400, 401])('takes invalid_grant as revoked, with the status %i', (status) => {
    expect(readTokenResponse(response(status, { error: 'invalid_grant' }), now)).toEqual({ kind: 'revoked' })
  })

  it.each<[string, TokenResponse, number | undefined]>([
    ['500', response(500, {}), undefined],
    ['invalid_grant with the status 503', response(503, { error: 'invalid_grant' }), undefined],
    ['408', response(408, {}), undefined],
    ['429 with seconds', response(429, {}, { 'retry-after': '7' }), 7],
    ['429 with a date', response(429, {}, { 'retry-after': 'Sun, 01 Mar 2026 10:00:30 GMT' }), 30],
    ['429 with a past date', response(429, {}, { 'retry-after': 'Sun, 01 Mar 2026 09:00:00 GMT' }), 0],
    ['429 with a day', response(429, {}, { 'retry-after': '86400' }), 3600],
    ['429 with nonsense', response(429, {}, { 'retry-after': 'soon' }), undefined],
    ['temporarily_unavailable', response(400, { error: 'temporarily_unavailable' }), undefined],
  ])('waits after %s', (_, given, retryAfterSec) => {
    expect(readTokenResponse(given, now)).toMatchObject({ kind: 'passing', retryAfterSec })
  })
})
