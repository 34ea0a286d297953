// Body of a named credential: an endpoint, the identity of its calls, timeouts and retries.
import { z } from 'zod'
import { key, integerBetween, nonEmptyText } from '../shapes.ts'

export const retryTriggers = ['timeout', 'connection', 'http_429', 'http_5xx'] as const

/** A post-commit worker can wait at most 300 s; a synchronous invocable waits 60 s. */
export const maxTimeoutMs = 300_000
export const maxSynchronousTimeoutMs = 60_000

export const retry = z.strictObject({
  /** The total number of attempts, including the first. */
  attempts: integerBetween(1, 20).default(4),
  backoff: z.enum(['exponential', 'fixed']).default('exponential'),
  baseMs: integerBetween(1, 3_600_000).default(200),
  jitter: z.boolean().default(true),
  retryOn: z
    .array(z.enum(retryTriggers))
    .default([...retryTriggers])
    .transform((given) => retryTriggers.filter((trigger) => given.includes(trigger))),
})

export const circuitBreaker = z.strictObject({
  failureThreshold: integerBetween(1, 10_000).default(5),
  windowSec: integerBetween(1, 86_400).default(60),
  openSec: integerBetween(1, 86_400).default(30),
})

export const budget = z.strictObject({
  concurrency: integerBetween(1, 10_000).default(10),
  requestsPerMinute: integerBetween(1, 1_000_000).default(600),
})

export const namedCredentialBody = z.strictObject({
  url: nonEmptyText,
  externalCredential: key,
  principal: key,
  timeoutMs: integerBetween(1, maxTimeoutMs).default(5000),
  retry: retry.prefault({}),
  circuitBreaker: circuitBreaker.prefault({}),
  budget: budget.prefault({}),
})

export type NamedCredentialBody = z.output<typeof namedCredentialBody>
