// The request of a call that is an operation of an external service: as its description was when the call was made.
import { AlmanacError } from '#kernel/errors/almanac-error.ts'
import type { RecordEffect } from '../ports/record-change.ts'
import type { OpenOperation, OperationRequest, Payloads } from '../service-calls/index.ts'

/** The operation in a generation; null if it does not exist there, or if the generation was purged. */
export type OperationAt = (generation: number, key: string) => OpenOperation | null

interface CallBody {
  operation?: string | null
  args?: Record<string, unknown>
  payload?: Record<string, unknown>
}

/**
 * Null if the call is not an operation.
 * @param deferred path in the action → value
 * @throws AlmanacError `integration.call_invalid`: nothing can be sent
 */
export async function operationOfCall(
  { body, generation, actor }: Pick<RecordEffect, 'body' | 'generation' | 'actor'>,
  deferred: Readonly<Record<string, unknown>>,
  { operationAt, payloads }: { operationAt: OperationAt; payloads: Payloads },
): Promise<OperationRequest | null> {
  const { operation: key, args = {}, payload = {} } = body as CallBody
  if (key == null) return null
  const operation = operationAt(generation, key)
  if (operation === null)
    throw new AlmanacError(
      'integration.call_invalid',
      `The operation ${key} of generation ${generation} does not exist any more, so the call is not sent.`,
    )
  const filled = (name: string, values: Record<string, unknown>): Record<string, unknown> =>
    Object.fromEntries(
      Object.entries(values).map(([each, value]) => {
        const place = `${name}/${each}`
        return [each, Object.hasOwn(deferred, place) ? deferred[place] : value]
      }),
    )
  const sent = { args: filled('args', args), payload: filled('payload', payload) }
  const written = await payloads.request(operation, sent, actor)
  if (written.ok) return written.request
  throw new AlmanacError(
    'integration.call_invalid',
    `The call of ${key} is not valid, so it is not sent. ${written.issue.message}`,
    { details: [{ operation: key, path: written.issue.pointer }] },
  )
}
