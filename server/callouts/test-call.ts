// A test call of a named credential: to its URL alone, with the rights of the current user. Shows how far it comes; the
// response is discarded.
import type { ComponentOf } from '#kernel/components/body-types.ts'
import { AlmanacError } from '#kernel/errors/almanac-error.ts'
import { errorCatalogue } from '#kernel/errors/catalogue.ts'
import type { TestCallView } from '#wire/operations.ts'
import type { OutsideTransaction } from '../ports/outside-transaction.ts'
import type { Callout, CalloutAttempt, CalloutFailure } from './callout.ts'
import { endpointOf } from './callout-request.ts'
import type { Callouts } from './callouts.ts'

export interface TestCall {
  credential: ComponentOf<'named_credential'>
  actor: string
  correlationId: string
  method: 'GET' | 'HEAD'
}

/** Enough to see that the target responds; the rest is not read. */
const maxBytes = 1024 * 1024

export async function testCall(
  callouts: Pick<Callouts, 'execute'>,
  capability: OutsideTransaction,
  { credential: { key, body }, actor, correlationId, method }: TestCall,
): Promise<TestCallView> {
  const retry = { ...body.retry, attempts: 1 }
  const call: Callout = {
    ...{ credential: { key, body: { ...body, retry } }, actor, correlationId, method, path: '', maxBytes },
  }
  const shown = { method, endpoint: endpointOf(call), correlationId }
  try {
    const { status, attempts } = await callouts.execute(capability, call)
    return { result: 'delivered', ...shown, status, latencyMs: latencyOf(attempts), problem: null }
  } catch (error) {
    if (!(error instanceof AlmanacError) || error.kind.class === 'internal') throw error
    const [failure] = error.details as (Partial<CalloutFailure> | undefined)[]
    const { code, message } = error
    return {
      ...{ result: 'failed', ...shown, status: failure?.status ?? null },
      latencyMs: latencyOf(failure?.attempts ?? []),
      problem: { code, title: errorCatalogue[code].title, detail: message },
    }
  }
}

const latencyOf = (attempts: readonly CalloutAttempt[]): number | null => attempts.at(-1)?.latencyMs ?? null
