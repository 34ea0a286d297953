// Help on webhook endpoints.
import type { ComponentDoc } from '../define.ts'

export const webhookEndpointDoc: ComponentDoc = {
  summary: 'A webhook endpoint accepts genuine deliveries from an external system, each only once.',
  text: `Each delivery is verified by its signature over the raw body, checked for duplicates, acknowledged, and then dispatched to a channel, an invocable automation, or a record.

The dispatch runs as a user, whose permission sets decide what it can write. The shared secret is in the store of an external credential.

This version checks and deploys endpoints. It does not receive deliveries yet.`,
  example: {
    path: '/hooks/payments',
    runAs: 'admin',
    verification: {
      scheme: 'hmac_sha256',
      externalCredential: 'payments_secret',
      signatureHeader: 'Stripe-Signature',
      signedPayload: '{timestamp}.{body}',
      timestampHeader: 'Stripe-Signature#t',
      toleranceSec: 300,
    },
    dedupe: { idHeader: 'body:/id', windowHours: 48 },
    dispatch: { publishTo: 'payments' },
  },
}
