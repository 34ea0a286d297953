// What a route can answer whose work makes calls to the outside, with the origin `integration.callout`.
import type { ErrorCode } from '#kernel/errors/catalogue.ts'

/** Of every call. */
const callErrors = [
  'integration.address_refused',
  'integration.breaker_open',
  'integration.call_invalid',
  'integration.connection_lost',
  'integration.consent_required',
  'integration.forbidden',
  'integration.redirect_refused',
  'integration.refused',
  'integration.remote_failed',
  'integration.secret_absent',
  'integration.sign_in',
  'integration.throttled',
  'integration.timeout',
  'integration.tls',
  'integration.token_refused',
  'integration.token_unavailable',
  'integration.too_large',
  'integration.unreachable',
  'integration.unreadable',
  'limit.callout_budget',
] as const satisfies readonly ErrorCode[]

/** Of an operation that makes callouts. */
export const calloutErrors = [
  ...callErrors,
  'access.denied',
  'integration.outcome_unknown',
  'integration.secret_invalid',
] as const satisfies readonly ErrorCode[]

/** Of a request that calls the source of a virtual object. */
export const sourceErrors = [
  ...callErrors,
  'integration.foreign_link',
] as const satisfies readonly ErrorCode[]

/** Of a change of one row of a virtual object. */
export const rowErrors = [
  ...sourceErrors,
  'conflict.exists',
  'conflict.source',
  'integration.no_version',
  'integration.outcome_unknown',
  'virtual.not_writable',
] as const satisfies readonly ErrorCode[]
