// Dispatches stored deliveries: each as the user that its endpoint runs as, with the rights that the user has then
// (docs/reference/webhooks.md).
import type { ScopePath } from '#kernel/components/scopes.ts'
import { AlmanacError } from '#kernel/errors/almanac-error.ts'
import {
  batchedWrites,
  createClaimWorker,
  type BatchedWrites,
  type ClaimWork,
  type ClaimWorker,
} from '../outbox/index.ts'
import type { Clock, IdGenerator } from '../ports/clock.ts'
import type { Timer } from '../ports/timer.ts'
import type { Records } from '../records/index.ts'
import { deliveryProblem, nextWait } from './delivery-problem.ts'
import type { ClaimedDelivery, DeliveryChange, DeliveryWrites } from './delivery-writes.ts'
import type { WebhookEndpoint } from './receiver.ts'

/** An endpoint as it is now. */
export interface DispatchTarget {
  endpoint: WebhookEndpoint
  generation: number
  /** Of the user that it runs as. */
  scopePath: ScopePath
  /** Why the user cannot run it now, as a sentence; null if they can. */
  heldBy: string | null
}

export interface DeliveryWorkerDeps {
  writes: Pick<DeliveryWrites, 'claim' | 'change' | 'extend' | 'purge' | 'release'>
  dispatch: Records['dispatch']
  /** By its identity; undefined if it was removed. */
  targetOf(endpoint: string): DispatchTarget | undefined
  /** When the next delivery is due; null without one. */
  nextAt(): Promise<string | null>
  /** The endpoints with held deliveries. */
  heldEndpoints(): Promise<readonly string[]>
  clock: Clock
  timer: Timer
  ids: IdGenerator
  random(): number
  onError(error: unknown): void
}

/** Deliveries that are dispatched at once, in all and of one endpoint. */
const maxInFlight = 128
const perEndpoint = 64
/** How long deliveries stay after they were dispatched or discarded, in milliseconds. */
const keptMs = 7 * 86_400_000

export function createDeliveryWorker(deps: DeliveryWorkerDeps): ClaimWorker {
  const { writes, clock, timer, ids, onError } = deps
  const changes = batchedWrites((list: readonly DeliveryChange[]) => writes.change(list))
  /** Deliveries go on once their user is active again, or their endpoint runs as another one. */
  const releaseHeld = async (): Promise<void> => {
    for (const endpoint of await deps.heldEndpoints())
      if (deps.targetOf(endpoint)?.heldBy == null) await writes.release({ endpoint, at: clock.now() })
  }
  return createClaimWorker<ClaimedDelivery>({
    ...{ clock, timer, ids, onError, maxInFlight },
    nextAt: async () => {
      await releaseHeld()
      return deps.nextAt()
    },
    claim: (round) => writes.claim({ ...round, perEndpoint }),
    extend: (extension) => writes.extend(extension),
    run: (claimed, work) => dispatch({ ...deps, ...work, changes }, claimed),
    purge: () => {
      const now = clock.now()
      return writes.purge({ closedBefore: new Date(Date.parse(now) - keptMs).toISOString(), now })
    },
  })
}

interface Dispatching extends DeliveryWorkerDeps, ClaimWork {
  changes: BatchedWrites<DeliveryChange, boolean>
}

async function dispatch(deps: Dispatching, { id, token, delivery }: ClaimedDelivery): Promise<void> {
  const { changes, clock, later } = deps
  const at = clock.now()
  const target = deps.targetOf(delivery.endpoint)
  if (target?.heldBy != null) {
    const problem = deliveryProblem(new AlmanacError('webhook.run_as', target.heldBy))
    await changes.write({ id, token, kind: 'held', problem, at })
    return
  }
  const fail = async (error: AlmanacError): Promise<void> => {
    const made = delivery.attempts.length - delivery.priorAttempts + 1
    const wait = nextWait(error, made, deps.random())
    const durationMs = Math.max(0, Date.parse(clock.now()) - Date.parse(at))
    const attempt = { at, durationMs, error: deliveryProblem(error) }
    await changes.write(
      wait === null
        ? { id, token, kind: 'dead', attempt }
        : { id, token, kind: 'retry', attempt, nextAt: later(wait) },
    )
  }
  if (target === undefined)
    return fail(new AlmanacError('webhook.removed', `The endpoint ${delivery.endpointKey} was removed.`))
  const { endpoint, generation, scopePath } = target
  try {
    await deps.dispatch({
      ...{
        delivery: id,
        token,
        endpoint: endpoint.key,
        dispatch: endpoint.body.dispatch,
        generation,
        scopePath,
      },
      ...{ user: endpoint.body.runAs, correlationId: delivery.correlationId },
    })
  } catch (error) {
    // A fault of ours: the claim ends, and the delivery is dispatched again.
    if (!(error instanceof AlmanacError)) throw error
    if (error.code === 'conflict.delivery_state') return
    await fail(error)
  }
}
