// Errors as a row of the outbox keeps them: the envelope, without what could contain a secret.
import type { AlmanacError } from '#kernel/errors/almanac-error.ts'
import type { OutboxProblem } from '../ports/outbox.ts'

export const calloutOrigin = 'integration.callout'

export function outboxProblem(error: AlmanacError): OutboxProblem {
  const { code, kind, message } = error
  return {
    ...{ code, class: kind.class, title: kind.title, detail: message },
    ...{ origin: calloutOrigin, retriable: kind.retriable },
  }
}
