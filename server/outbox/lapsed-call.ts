// Calls whose worker ended in the middle of an attempt: nobody knows whether the target has carried them out.
import { AlmanacError } from '#kernel/errors/almanac-error.ts'
import { isRepeatable } from '../callouts/index.ts'
import type { OutboxProblem, OutboxRow } from '../ports/outbox.ts'
import { callRequest } from './call-request.ts'
import { outboxProblem } from './outbox-problem.ts'

export const outcomeUnknown = (): OutboxProblem =>
  outboxProblem(
    new AlmanacError(
      'integration.outcome_unknown',
      'The process ended while the call was being made, so it is not known whether the target has carried it out.',
    ),
  )

/** Whether sending it again does no harm: by its method, or by a key that its author declares. */
export function isRepeatableCall({ effect }: OutboxRow): boolean {
  const { method, idempotencyKey } = callRequest(effect, {})
  const isDeclared = idempotencyKey !== null || effect.deferred.includes('idempotencyKey')
  return isRepeatable(method as 'POST', isDeclared)
}

/** Then the call itself could be what ends the process. */
const mostLapses = 10

/** Whether this attempt is one too many in whose middle the process ended, one after the other. */
export function endsProcesses({
  attempts,
  priorAttempts,
}: Pick<OutboxRow, 'attempts' | 'priorAttempts'>): boolean {
  const last = attempts.slice(priorAttempts).slice(-mostLapses)
  return (
    last.length === mostLapses && last.every(({ error }) => error?.code === 'integration.outcome_unknown')
  )
}
