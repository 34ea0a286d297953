// Sends a delivery to a webhook endpoint as its sender would: signed with the current secret, through the same receiver.
import { createHmac } from 'node:crypto'
import { AlmanacError } from '#kernel/errors/almanac-error.ts'
import {
  signedHeaders,
  signedPieces,
  type VerificationStep,
  type VerifyingSecret,
} from '#kernel/webhooks/index.ts'
import type { Clock, IdGenerator } from '../ports/clock.ts'
import type { Receiver, WebhookEndpoint } from './receiver.ts'

export interface TestSending {
  body: string
  /** Id of the delivery, if the endpoint reads it from a header; if omitted, a new one. */
  id?: string | undefined
  correlationId: string
  by: string
}

export interface TestOutcome {
  result: 'stored' | 'repeated' | 'challenge'
  /** Null for a challenge. */
  delivery: string | null
  /** What the sender gets back; null unless it is a challenge. */
  challenge: string | null
  steps: readonly VerificationStep[]
}

export interface TestSender {
  /** @throws AlmanacError `webhook.secret_absent`, and as `Receiver.receive` */
  send(endpoint: WebhookEndpoint, sending: TestSending): Promise<TestOutcome>
}

export interface TestSenderDeps {
  receiver: Receiver
  secretsOf(endpoint: WebhookEndpoint): Promise<readonly VerifyingSecret[]>
  clock: Clock
  ids: IdGenerator
}

export function createTestSender({ receiver, secretsOf, clock, ids }: TestSenderDeps): TestSender {
  return {
    send: async (endpoint, { body: text, id = ids.uuid(), correlationId, by }) => {
      const secret = (await secretsOf(endpoint)).find(({ kind }) => kind === 'current')
      if (secret === undefined)
        throw new AlmanacError(
          'webhook.secret_absent',
          `The credential ${endpoint.body.verification.externalCredential} has no current secret that can sign deliveries.`,
        )
      const body = Buffer.from(text)
      const timestamp = String(Math.floor(Date.parse(clock.now()) / 1000))
      const signing = createHmac('sha256', secret.bytes)
      for (const piece of signedPieces(endpoint.body.verification.signedPayload, { timestamp, id, body }))
        signing.update(piece)
      const headers = signedHeaders(endpoint.body, { timestamp, id, signature: signing.digest() })
      const received = await receiver.receive(endpoint, {
        headers: { 'content-type': 'application/json', ...headers },
        ...{ body, correlationId, testedBy: by },
      })
      const { result, steps } = received
      return received.result === 'challenge'
        ? { result, delivery: null, challenge: received.text, steps }
        : { result, delivery: received.id, challenge: null, steps }
    },
  }
}
