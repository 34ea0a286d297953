// What a route can answer whose work makes a callout, with the origin `integration.callout`.
import type { ErrorCode } from '#kernel/errors/catalogue.ts'

export const calloutErrors: readonly ErrorCode[] = [
  'access.denied',
  'limit.callout_budget',
  'integration.address_refused',
  'integration.breaker_open',
  'integration.call_invalid',
  'integration.connection_lost',
  'integration.consent_required',
  'integration.outcome_unknown',
  'integration.redirect_refused',
  'integration.refused',
  'integration.remote_failed',
  'integration.secret_absent',
  'integration.secret_invalid',
  'integration.throttled',
  'integration.timeout',
  'integration.tls',
  'integration.token_refused',
  'integration.token_unavailable',
  'integration.too_large',
  'integration.unreachable',
  'integration.unreadable',
]
