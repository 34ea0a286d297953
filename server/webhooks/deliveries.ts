// Deliveries for operators: what waits, what is dead and why, and what they do about it.
import { splitId } from '#kernel/components/component.ts'
import { AlmanacError } from '#kernel/errors/almanac-error.ts'
import type { DeliveryDetailView, DeliveryView } from '#wire/deliveries.ts'
import type { Actor, AuditFact } from '../access/index.ts'
import type { Clock } from '../ports/clock.ts'
import type { Delivery, DeliveryCounts, DeliveryFilter, DeliveryReader } from '../ports/deliveries.ts'
import type { ComponentIdentity } from '../ports/identities.ts'
import type { OrgReader, OrgStore } from '../ports/org-store.ts'
import type { DeliveryWrites } from './delivery-writes.ts'

export interface DeliveriesDeps {
  read<T>(work: (reader: DeliveryReader) => Promise<T>): Promise<T>
  /** Whether there are deliveries, or were: otherwise the records are not opened. */
  isUsed(): boolean
  org: Pick<OrgStore, 'read'>
  writes: Pick<DeliveryWrites, 'requeue' | 'discard'>
  clock: Clock
  audit(by: Actor, fact: AuditFact): Promise<void>
}

/** As a caller names it: by the key of the endpoint. */
export type NamedDeliveryFilter = Omit<DeliveryFilter, 'endpoint'> & { endpoint?: string | undefined }

export interface DeliveryPage {
  rows: DeliveryView[]
  counts: DeliveryCounts
  /** After which the next page begins; null on the last one. */
  next: string | null
}

export interface Deliveries {
  list(
    filter: NamedDeliveryFilter,
    page: { limit: number; before?: string | undefined },
  ): Promise<DeliveryPage>
  /** The key of an endpoint now, or the last one that it had; the identity itself if it is not known. */
  keyOf(endpoint: string): string
  /** What metrics show. */
  counts(): Promise<DeliveryCounts>
  /** @throws AlmanacError `delivery.not_found` */
  get(id: string): Promise<Omit<DeliveryDetailView, 'content'>>
  /** As it was received. @throws AlmanacError `delivery.not_found` */
  body(id: string): Promise<Uint8Array>
  /** Dispatches a dead delivery again. @throws AlmanacError `delivery.not_found`, `conflict.delivery_state`, `delivery.not_repeatable` */
  requeue(by: Actor, id: string, acceptRepeat: boolean): Promise<void>
  /** @throws AlmanacError `delivery.not_found`, `conflict.delivery_state` */
  discard(by: Actor, id: string, reason: string): Promise<void>
}

const noCounts: DeliveryCounts = {
  ...{ pending: 0, held: 0, dispatching: 0, dispatched: 0, dead: 0, discarded: 0 },
}

export function createDeliveries({ read, isUsed, org, writes, clock, audit }: DeliveriesDeps): Deliveries {
  const require = async (id: string): Promise<Delivery> => {
    const delivery = isUsed() ? await read((reader) => reader.delivery(id)) : undefined
    if (delivery !== undefined) return delivery
    throw notFound(id)
  }
  const requireDead = async (id: string): Promise<Delivery> => {
    const delivery = await require(id)
    if (delivery.state === 'dead') return delivery
    throw new AlmanacError(
      'conflict.delivery_state',
      `The delivery is ${delivery.state}. Only a dead delivery is requeued or discarded.`,
    )
  }
  const note = (by: Actor, { id, endpointKey, problem }: Delivery, kind: string, reason: string) =>
    audit(by, {
      ...{ component: `delivery/${id}`, kind, rationale: reason },
      before: { state: 'dead', endpoint: endpointKey, problem: problem?.code ?? null },
      after: null,
    })
  return {
    list: async (filter, { limit, before }) => {
      const named = filterByIdentity(org, filter)
      if (!isUsed() || named === null) return { rows: [], counts: noCounts, next: null }
      return read(async (reader) => {
        const found = await reader.deliveries(named, limit + 1, before)
        const page = found.slice(0, limit)
        const { states: _states, ...others } = named
        return {
          rows: page.map((delivery) => viewOf(org, delivery)),
          counts: await reader.countDeliveries(others),
          next: found.length > limit ? page.at(-1)!.id : null,
        }
      })
    },
    keyOf: (endpoint) => keyOf(org, endpoint) ?? endpoint,
    counts: async () => (isUsed() ? read((reader) => reader.countDeliveries({})) : noCounts),
    get: async (id) => {
      const delivery = await require(id)
      return { ...viewOf(org, delivery), steps: [...delivery.steps] }
    },
    body: async (id) => {
      const body = isUsed() ? await read((reader) => reader.deliveryBody(id)) : undefined
      if (body === undefined) throw notFound(id)
      return body
    },
    requeue: async (by, id, acceptRepeat) => {
      const delivery = await requireDead(id)
      const { requeued, unrepeatable } = await writes.requeue({
        ...{ ids: [id], acceptRepeat, by: by.actor, at: clock.now() },
      })
      if (unrepeatable > 0)
        throw new AlmanacError(
          'delivery.not_repeatable',
          'The target of a callout may have carried it out. Check the target; then requeue the delivery with "acceptRepeat": true, or discard it.',
        )
      if (requeued === 0) await requireDead(id)
      await note(by, delivery, 'delivery.requeued', '')
    },
    discard: async (by, id, reason) => {
      const delivery = await requireDead(id)
      const discarded = await writes.discard({ ids: [id], by: by.actor, at: clock.now(), reason })
      if (discarded === 0) await requireDead(id)
      await note(by, delivery, 'delivery.discarded', reason)
    },
  }
}

const notFound = (id: string): AlmanacError =>
  new AlmanacError('delivery.not_found', `The delivery "${id}" does not exist.`)

/** Null if no endpoint has, or had, the key. */
export function filterByIdentity(
  org: Pick<OrgStore, 'read'>,
  { endpoint, ...filter }: NamedDeliveryFilter,
): DeliveryFilter | null {
  if (endpoint === undefined) return filter
  const identity = org.read((reader) => identityOf(reader, endpoint))
  return identity === undefined ? null : { ...filter, endpoint: identity }
}

/** Of the endpoint that has the key now, or had it last. */
function identityOf({ identities, generations }: OrgReader, key: string): ComponentIdentity | undefined {
  const id = `webhook_endpoint/${key}` as const
  return identities.at(generations.active(), id) ?? identities.holders(id).at(-1)?.identity
}

function viewOf(
  org: Pick<OrgStore, 'read'>,
  { endpoint, endpointKey, steps: _steps, run: _run, acceptsRepeat: _accepts, ...delivery }: Delivery,
): DeliveryView {
  return {
    ...delivery,
    endpoint: keyOf(org, endpoint) ?? endpointKey,
    attempts: [...delivery.attempts],
  }
}

/** @param endpoint identity */
function keyOf(org: Pick<OrgStore, 'read'>, endpoint: string): string | undefined {
  const last = org.read(({ identities }) => identities.keyPeriods(endpoint as ComponentIdentity).at(-1))
  return last === undefined ? undefined : splitId(last.id).key
}
