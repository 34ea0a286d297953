// Receives deliveries to webhook endpoints: verify, recognise, store, acknowledge. Nothing of a delivery is parsed before it is
// verified, and it is acknowledged once it is durable (docs/reference/webhooks.md).
import { createHash, createHmac, createSecretKey, type KeyObject } from 'node:crypto'
import type { ComponentOf } from '#kernel/components/body-types.ts'
import { AlmanacError } from '#kernel/errors/almanac-error.ts'
import {
  idInBody,
  pointerOfId,
  readDeliveredBody,
  valueAt,
  verifyDelivery,
  type DeliveredBody,
  type DeliveryHeaders,
  type VerificationStep,
  type Verified,
  type VerifyingSecret,
} from '#kernel/webhooks/index.ts'
import type { Clock, IdGenerator } from '../ports/clock.ts'
import type { Delivery } from '../ports/deliveries.ts'
import type { Timer } from '../ports/timer.ts'
import type { DeliveryWrites } from './delivery-writes.ts'
import { receiptBatches } from './receipt-batches.ts'
import type { Refusals } from './refusals.ts'

export type WebhookEndpoint = ComponentOf<'webhook_endpoint'>

export interface Receipt {
  headers: DeliveryHeaders
  /** As it was sent, after decompression. */
  body: Uint8Array
  correlationId: string
  /** The user who sends it as a test; null for the sender. */
  testedBy: string | null
}

export type Received =
  | { result: 'stored' | 'repeated'; id: string; steps: readonly VerificationStep[] }
  /** The sender wants this text back. */
  | { result: 'challenge'; text: string; steps: readonly VerificationStep[] }

/** A delivery that could not be verified. Only who tests an endpoint sees the steps. */
export class RefusedDelivery extends AlmanacError {
  readonly steps: readonly VerificationStep[]

  constructor(
    code: 'webhook.headers' | 'webhook.refused',
    detail: string,
    steps: readonly VerificationStep[],
  ) {
    super(code, detail)
    this.steps = steps
  }
}

export interface Receiver {
  /**
   * Resolves once the delivery is durable.
   * @throws RefusedDelivery
   * @throws AlmanacError `webhook.secret_absent`, `vault.*`, `org.busy`, `storage.*`
   */
  receive(endpoint: WebhookEndpoint, receipt: Receipt): Promise<Received>
}

export interface ReceiverDeps {
  writes: Pick<DeliveryWrites, 'receive'>
  /** Those that can verify now; they never leave this process. */
  secretsOf(endpoint: WebhookEndpoint): Promise<readonly VerifyingSecret[]>
  identityOf(endpoint: WebhookEndpoint): string
  refusals: Pick<Refusals, 'note'>
  /** Called after a delivery was stored. */
  onStored(): void
  clock: Clock
  /** By which the age of a delivery is judged: the org's can be ahead of the clocks of senders. */
  machineClock: Clock
  timer: Timer
  ids: IdGenerator
}

/** A longer challenge is not one. */
const maxChallenge = 2000
const hourMs = 3_600_000

export function createReceiver(deps: ReceiverDeps): Receiver {
  const { clock, ids, refusals } = deps
  const batches = receiptBatches(deps.writes.receive, deps.timer)

  const verify = async (
    endpoint: WebhookEndpoint,
    { headers, body, correlationId }: Receipt,
  ): Promise<Verified & { result: 'verified' }> => {
    const refuse = (error: AlmanacError): AlmanacError => {
      const steps = error instanceof RefusedDelivery ? error.steps : []
      refusals.note({ endpoint: endpoint.key, code: error.code, correlationId, steps })
      return error
    }
    const secrets = await deps.secretsOf(endpoint)
    if (secrets.length === 0) throw refuse(secretAbsent())
    const now = Date.parse(deps.machineClock.now())
    const verified = verifyDelivery(endpoint.body, { headers, body }, { secrets, now, hmac })
    switch (verified.result) {
      case 'verified':
        return verified
      case 'malformed':
        throw refuse(malformed(verified.steps))
      case 'refused':
        // The same for every reason, which would help an attacker.
        throw refuse(
          new RefusedDelivery('webhook.refused', 'The delivery could not be verified.', verified.steps),
        )
    }
  }
  return {
    receive: async (endpoint, receipt) => {
      const { steps, id: idOfHeader, pieces } = await verify(endpoint, receipt)
      const { body: bytes, headers, correlationId, testedBy } = receipt
      const { verification, dedupe } = endpoint.body
      const { challenge } = verification
      const place = pointerOfId(dedupe)
      // Its dispatch reports a body that cannot be read.
      const reading = challenge !== undefined || place !== null ? readDeliveredBody(bytes) : null
      const body: DeliveredBody | null = reading?.ok === true ? reading.body : null
      const text = challenge === undefined || body === null ? undefined : valueAt(body, challenge)
      if (typeof text === 'string' && text.length <= maxChallenge) return { result: 'challenge', text, steps }
      const senderId = place === null ? idOfHeader : body === null ? null : idInBody(body, place)
      const receivedAt = clock.now()
      const id = ids.uuid()
      const delivery: Delivery = {
        ...{ id, endpoint: deps.identityOf(endpoint), state: 'pending', receivedAt, correlationId },
        endpointKey: endpoint.key,
        senderId: senderId === null ? null : senderId.slice(0, 255),
        mediaType: textOf(headers['content-type']),
        ...{ bytes: bytes.byteLength, steps, testedBy, attempts: [], priorAttempts: 0 },
        ...{ nextAttemptAt: receivedAt, problem: null, resolution: null, dispatchedAt: null, result: null },
        ...{ run: null, acceptsRepeat: false },
      }
      const known = await batches.write({
        ...{ delivery, body: bytes },
        keys: [
          ...(senderId === null ? [] : [keyOf('id', [Buffer.from(senderId)])]),
          // Also finds a delivery that is sent again under another id, which not every sender signs.
          keyOf('signed', pieces),
        ],
        keptUntil: new Date(Date.parse(receivedAt) + dedupe.windowHours * hourMs).toISOString(),
      })
      if (known !== null) return { result: 'repeated', id: known, steps }
      deps.onStored()
      return { result: 'stored', id, steps }
    },
  }
}

/** Making one takes longer than signing. */
const keysOfSecrets = new WeakMap<Uint8Array, KeyObject>()

function hmac(secret: Uint8Array, pieces: readonly Uint8Array[]): Uint8Array {
  const key = keysOfSecrets.get(secret) ?? createSecretKey(secret)
  keysOfSecrets.set(secret, key)
  const signing = createHmac('sha256', key)
  for (const piece of pieces) signing.update(piece)
  return signing.digest()
}

function keyOf(kind: string, pieces: readonly Uint8Array[]): string {
  const digest = createHash('sha256').update(`${kind}\n`)
  for (const piece of pieces) digest.update(piece)
  return digest.digest('base64url')
}

const textOf = (value: string | readonly string[] | undefined): string | null =>
  (typeof value === 'string' ? value : value?.[0])?.slice(0, 200) ?? null

const secretAbsent = (): AlmanacError =>
  new AlmanacError(
    'webhook.secret_absent',
    'The secret that verifies deliveries is absent. Send it again later.',
  )

function malformed(steps: readonly VerificationStep[]): RefusedDelivery {
  const failed = steps.filter(({ isPassed }) => !isPassed)
  return new RefusedDelivery('webhook.headers', failed.map(({ detail }) => detail).join(' '), steps)
}
