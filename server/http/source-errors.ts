// The errors of a request that calls the source of a virtual object.
import type { ErrorCode } from '#kernel/errors/catalogue.ts'

export const sourceErrors = [
  ...(['integration.unreachable', 'integration.timeout', 'integration.connection_lost'] as const),
  ...(['integration.tls', 'integration.address_refused', 'integration.redirect_refused'] as const),
  ...(['integration.remote_failed', 'integration.refused', 'integration.throttled'] as const),
  ...(['integration.unreadable', 'integration.too_large', 'integration.foreign_link'] as const),
  ...(['integration.sign_in', 'integration.forbidden', 'integration.secret_absent'] as const),
  ...(['integration.consent_required', 'integration.token_refused'] as const),
  ...(['integration.token_unavailable', 'integration.breaker_open', 'integration.call_invalid'] as const),
  'limit.callout_budget',
] as const satisfies readonly ErrorCode[]

/** Those of a change of one row. */
export const rowErrors = [
  ...sourceErrors,
  ...(['virtual.not_writable', 'integration.no_version', 'integration.outcome_unknown'] as const),
  ...(['conflict.exists', 'conflict.source'] as const),
] as const satisfies readonly ErrorCode[]
