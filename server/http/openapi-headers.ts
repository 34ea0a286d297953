// The headers of requests and answers, each once, for the OpenAPI document (completions 5, 6).
import { correlationHeader, lawfulCorrelation } from './correlation.ts'
import type { Route } from './route.ts'

type Json = Record<string, unknown>

export const parameters = {
  CorrelationId: {
    name: correlationHeader,
    in: 'header',
    required: false,
    description: 'Kept for the answer, the audit and the log; made where left out.',
    schema: { type: 'string', pattern: lawfulCorrelation.source },
  },
  App: {
    name: 'X-App',
    in: 'header',
    required: false,
    description: 'The key of the app that the request runs in.',
    schema: { type: 'string' },
  },
  AcceptLanguage: {
    name: 'Accept-Language',
    in: 'header',
    required: false,
    description: 'The locale, where the user has none of their own.',
    schema: { type: 'string' },
  },
  ViewAs: {
    name: 'X-View-As',
    in: 'header',
    required: false,
    description: 'The key of a user to see this as; for people in the studio.',
    schema: { type: 'string' },
  },
} as const

export const headers = {
  CorrelationId: {
    description: 'The correlation id of the request.',
    required: true,
    schema: { type: 'string' },
  },
  RetryAfter: { description: 'Seconds to wait.', schema: { type: 'integer' } },
} as const

/** The headers that an operation takes. */
export function headersOf({ access, ...route }: Route): Json[] {
  const named = (name: keyof typeof parameters): Json => ({ $ref: `#/components/parameters/${name}` })
  const always = named('CorrelationId')
  if (access === 'public') return [always]
  const reads = 'effect' in route && route.effect === 'reads'
  return [always, named('App'), named('AcceptLanguage'), ...(reads ? [named('ViewAs')] : [])]
}

/** The headers that an answer of this status carries. */
export function answerHeaders(status: number): Json {
  const named = (name: keyof typeof headers): Json => ({ $ref: `#/components/headers/${name}` })
  return {
    [correlationHeader]: named('CorrelationId'),
    ...(status === 429 ? { 'Retry-After': named('RetryAfter') } : {}),
  }
}
