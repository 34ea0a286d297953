// Problems as a row of the outbox keeps them.
import type { AlmanacError } from '#kernel/errors/almanac-error.ts'
import { errorCatalogue } from '#kernel/errors/catalogue.ts'
import { problemOf, type CalloutProblem } from '../callouts/index.ts'
import type { OutboxProblem } from '../ports/outbox.ts'

export const outboxProblem = (error: AlmanacError): OutboxProblem => storedProblem(problemOf(error, ''))

/** The correlation id is that of the row. */
export function storedProblem({ correlationId: _, ...problem }: CalloutProblem): OutboxProblem {
  return { ...problem, title: errorCatalogue[problem.code].title }
}
