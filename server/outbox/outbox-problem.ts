// Problems as a row of the outbox keeps them.
import { AlmanacError } from '#kernel/errors/almanac-error.ts'
import { errorCatalogue } from '#kernel/errors/catalogue.ts'
import { problemOf, type CalloutProblem } from '../callouts/index.ts'
import type { OutboxAttempt, OutboxProblem } from '../ports/outbox.ts'

/** @param origin of an error that has none of its own: that of a callout if omitted */
export const outboxProblem = (error: AlmanacError, origin?: string): OutboxProblem =>
  storedProblem(problemOf(error, '', origin))

/** An attempt of which nobody knows whether the target has carried it out is not a failure like any other. */
export const unknownOutcome = ({ message, details, origin, cause }: AlmanacError): AlmanacError =>
  new AlmanacError(
    'integration.outcome_unknown',
    `It is not known whether the target has carried out the call: ${message}`,
    { details, origin, cause },
  )

/** A fault of ours must not make the call look as if it had not been carried out. */
export const unreadableOutcome = (): AlmanacError =>
  new AlmanacError(
    'integration.unreadable',
    'The target has carried out the call, but its response could not be read, so the actions that follow were not run.',
    { origin: 'integration.callout' },
  )

/** The same without the messages, which can contain a value that was erased while the call was made. */
export function withoutMessages<T extends object>(
  change: T & { problem?: OutboxProblem; attempts?: readonly OutboxAttempt[] },
): T {
  const { problem, attempts } = change
  return {
    ...change,
    ...(problem !== undefined && { problem: withoutMessage(problem) }),
    ...(attempts !== undefined && {
      attempts: attempts.map((each) => ({
        ...each,
        error: each.error === null ? null : withoutMessage(each.error),
      })),
    }),
  }
}

const withoutMessage = (problem: OutboxProblem): OutboxProblem => ({
  ...problem,
  detail: `${problem.title}. The message was erased with the record.`,
})

/** The correlation id is that of the row. */
export function storedProblem({ correlationId: _, ...problem }: CalloutProblem): OutboxProblem {
  return { ...problem, title: errorCatalogue[problem.code].title }
}
