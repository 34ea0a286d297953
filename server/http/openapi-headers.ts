// Headers of requests and responses, each defined once, for the OpenAPI document.
import { retryAfterCodes, type ErrorCode } from '#kernel/errors/catalogue.ts'
import { correlationHeader, correlationPattern } from './correlation.ts'
import { positionHeader } from './position.ts'
import type { DeclaredHeader, Route } from './route.ts'

type Json = Record<string, unknown>

export const parameters = {
  CorrelationId: {
    name: correlationHeader,
    in: 'header',
    required: false,
    description: 'Used in the response, the audit and the log; generated if omitted.',
    schema: { type: 'string', pattern: correlationPattern.source },
  },
  Position: {
    name: positionHeader,
    in: 'header',
    required: false,
    description: 'The position of an earlier response: the request reads at least that state.',
    schema: { type: 'string' },
  },
  App: {
    name: 'X-App',
    in: 'header',
    required: false,
    description: 'The key of the app in which the request runs.',
    schema: { type: 'string' },
  },
  AcceptLanguage: {
    name: 'Accept-Language',
    in: 'header',
    required: false,
    description: 'The locale, if the user has not set one.',
    schema: { type: 'string' },
  },
  IfMatch: {
    name: 'If-Match',
    in: 'header',
    required: false,
    description: 'The ETag of the record, or *; a different version is refused.',
    schema: { type: 'string' },
  },
  RequiredIfMatch: {
    name: 'If-Match',
    in: 'header',
    required: true,
    description: 'The ETag of the record, or * for any version; a different version is refused.',
    schema: { type: 'string' },
  },
  IfNoneMatch: {
    name: 'If-None-Match',
    in: 'header',
    required: false,
    description:
      'The ETag of an earlier response; if it is still current, the response is empty, with status 304.',
    schema: { type: 'string' },
  },
  IdempotencyKey: {
    name: 'Idempotency-Key',
    in: 'header',
    required: false,
    description: 'The same request with the same key is saved once, and has the same response for 24 hours.',
    schema: { type: 'string', minLength: 1, maxLength: 255, pattern: '^[\\x21-\\x7e]+$' },
  },
  ContentDigest: {
    name: 'Content-Digest',
    in: 'header',
    required: false,
    description: 'The digest of the body as it is sent (RFC 9530), as in `sha-256=:<base64>:`.',
    schema: { type: 'string' },
  },
  LastEventId: {
    name: 'Last-Event-ID',
    in: 'header',
    required: false,
    description: 'The id of the last event that was received: the stream goes on after it.',
    schema: { type: 'string' },
  },
  ViewAs: {
    name: 'X-View-As',
    in: 'header',
    required: false,
    description: 'The key of the user to view as; only for people in the studio.',
    schema: { type: 'string' },
  },
} as const

export const headers = {
  CorrelationId: {
    description: 'The correlation id of the request.',
    required: true,
    schema: { type: 'string' },
  },
  Position: {
    description: 'The state that the response reflects. Send it back to read at least this state.',
    schema: { type: 'string' },
  },
  RateLimit: {
    description: 'For a client: the number of requests that are left, and the seconds until all are.',
    schema: { type: 'string' },
  },
  RateLimitPolicy: {
    description: 'For a client: the number of requests in a number of seconds.',
    schema: { type: 'string' },
  },
  ETag: { description: 'Identifies the version of the content.', schema: { type: 'string' } },
  RetryAfter: { description: 'Seconds to wait before the next attempt.', schema: { type: 'integer' } },
} as const

const declared = {
  'If-Match': 'IfMatch',
  'If-Match!': 'RequiredIfMatch',
  'If-None-Match': 'IfNoneMatch',
  'Idempotency-Key': 'IdempotencyKey',
  'Content-Digest': 'ContentDigest',
  'Last-Event-ID': 'LastEventId',
} as const satisfies Record<DeclaredHeader, keyof typeof parameters>

/** Returns the request headers of an operation. */
export function headersOf({ access, requestHeaders = [], ...route }: Route): Json[] {
  const parameterRef = (name: keyof typeof parameters): Json => ({ $ref: `#/components/parameters/${name}` })
  const always = parameterRef('CorrelationId')
  if (access === 'public') return [always]
  const reads = 'effect' in route && route.effect === 'reads'
  return [
    always,
    parameterRef('Position'),
    parameterRef('App'),
    parameterRef('AcceptLanguage'),
    ...(reads ? [parameterRef('ViewAs')] : []),
    ...requestHeaders.map((name) => parameterRef(declared[name])),
  ]
}

/**
 * Returns the response headers of a status.
 * @param codes the errors that have this status
 */
export function responseHeaders(
  status: number,
  { access, etag }: Pick<Route, 'access' | 'etag'>,
  codes: readonly ErrorCode[] = [],
): Json {
  const headerRef = (name: keyof typeof headers): Json => ({ $ref: `#/components/headers/${name}` })
  return {
    [correlationHeader]: headerRef('CorrelationId'),
    ...(access === 'public'
      ? {}
      : {
          [positionHeader]: headerRef('Position'),
          RateLimit: headerRef('RateLimit'),
          'RateLimit-Policy': headerRef('RateLimitPolicy'),
        }),
    ...(etag === true && status < 400 ? { ETag: headerRef('ETag') } : {}),
    ...(codes.some((code) => retryAfterCodes.has(code)) ? { 'Retry-After': headerRef('RetryAfter') } : {}),
  }
}
