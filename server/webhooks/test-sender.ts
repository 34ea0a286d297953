// Sends a delivery to a webhook endpoint as its sender would: signed, through the same receiver. It can also be signed as it
// should be refused.
import { createHmac, randomBytes } from 'node:crypto'
import { AlmanacError } from '#kernel/errors/almanac-error.ts'
import {
  signedHeaders,
  signedPieces,
  type VerificationStep,
  type VerifyingSecret,
} from '#kernel/webhooks/index.ts'
import type { Clock, IdGenerator } from '../ports/clock.ts'
import { RefusedDelivery, type Receiver, type WebhookEndpoint } from './receiver.ts'

export interface TestSending {
  body: string
  /** Id of the delivery, if the endpoint reads it from a header; if omitted, a new one. */
  id?: string | undefined
  /** With which it is signed; `wrong` makes one up. */
  secret: 'current' | 'next' | 'wrong'
  /** Seconds before now at which it is signed, as its headers have it; negative for the future. */
  ageSec: number
  correlationId: string
  by: string
}

export interface TestOutcome {
  result: 'stored' | 'repeated' | 'challenge' | 'refused'
  /** Null if nothing is stored. */
  delivery: string | null
  /** What the sender gets back; null unless it is a challenge. */
  challenge: string | null
  /** What the sender gets; null unless the delivery is refused. */
  refusal: { status: number; code: string; detail: string } | null
  steps: readonly VerificationStep[]
}

export interface TestSender {
  /** @throws AlmanacError `webhook.secret_absent`, and as `Receiver.receive` other than refusals */
  send(endpoint: WebhookEndpoint, sending: TestSending): Promise<TestOutcome>
}

export interface TestSenderDeps {
  receiver: Receiver
  secretsOf(endpoint: WebhookEndpoint): Promise<readonly VerifyingSecret[]>
  machineClock: Clock
  ids: IdGenerator
}

export function createTestSender({ receiver, secretsOf, machineClock, ids }: TestSenderDeps): TestSender {
  const secretOf = async (endpoint: WebhookEndpoint, kind: 'current' | 'next'): Promise<Uint8Array> => {
    const secret = (await secretsOf(endpoint)).find((each) => each.kind === kind)
    if (secret !== undefined) return secret.bytes
    throw new AlmanacError(
      'webhook.secret_absent',
      `The credential ${endpoint.body.verification.externalCredential} has no ${kind} secret that can sign deliveries.`,
    )
  }
  return {
    send: async (endpoint, { body: text, id = ids.uuid(), secret, ageSec, correlationId, by }) => {
      const bytes = secret === 'wrong' ? randomBytes(32) : await secretOf(endpoint, secret)
      const body = Buffer.from(text)
      const timestamp = String(Math.floor(Date.parse(machineClock.now()) / 1000) - ageSec)
      const signing = createHmac('sha256', bytes)
      for (const piece of signedPieces(endpoint.body.verification.signedPayload, { timestamp, id, body }))
        signing.update(piece)
      const headers = signedHeaders(endpoint.body, { timestamp, id, signature: signing.digest() })
      const nothing = { delivery: null, challenge: null, refusal: null }
      try {
        const received = await receiver.receive(endpoint, {
          headers: { 'content-type': 'application/json', ...headers },
          ...{ body, correlationId, testedBy: by },
        })
        const { result, steps } = received
        return received.result === 'challenge'
          ? { ...nothing, result, challenge: received.text, steps }
          : { ...nothing, result, delivery: received.id, steps }
      } catch (error) {
        if (!(error instanceof RefusedDelivery)) throw error
        const { steps, code, message: detail, kind } = error
        return { ...nothing, result: 'refused', refusal: { status: kind.status, code, detail }, steps }
      }
    },
  }
}
