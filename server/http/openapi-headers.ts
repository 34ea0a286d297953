// Headers of requests and responses, each defined once, for the OpenAPI document.
import { correlationHeader, correlationPattern } from './correlation.ts'
import type { Route } from './route.ts'

type Json = Record<string, unknown>

export const parameters = {
  CorrelationId: {
    name: correlationHeader,
    in: 'header',
    required: false,
    description: 'Used in the response, the audit and the log; generated if omitted.',
    schema: { type: 'string', pattern: correlationPattern.source },
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
  RetryAfter: { description: 'Seconds to wait before the next attempt.', schema: { type: 'integer' } },
} as const

/** Returns the request headers of an operation. */
export function headersOf({ access, ...route }: Route): Json[] {
  const parameterRef = (name: keyof typeof parameters): Json => ({ $ref: `#/components/parameters/${name}` })
  const always = parameterRef('CorrelationId')
  if (access === 'public') return [always]
  const reads = 'effect' in route && route.effect === 'reads'
  return [
    always,
    parameterRef('App'),
    parameterRef('AcceptLanguage'),
    ...(reads ? [parameterRef('ViewAs')] : []),
  ]
}

/** Returns the response headers of a status. */
export function responseHeaders(status: number): Json {
  const headerRef = (name: keyof typeof headers): Json => ({ $ref: `#/components/headers/${name}` })
  return {
    [correlationHeader]: headerRef('CorrelationId'),
    ...(status === 429 ? { 'Retry-After': headerRef('RetryAfter') } : {}),
  }
}
