// Help on webhook endpoints.
import type { ComponentDoc } from '../define.ts'

export const webhookEndpointDoc: ComponentDoc = {
  summary: 'A webhook endpoint accepts genuine deliveries from an external system, each only once.',
  text: `Each delivery is verified by its signature over the raw body, checked for duplicates, acknowledged, and then dispatched to a channel, an invocable automation, or a record.

The sender gets its answer once the delivery is stored, so nothing that was acknowledged is lost. The dispatch follows: it runs as a user, whose permission sets decide what it can write, and its effect is committed together with the mark that it was done. Failed deliveries are repeated, and those that fail for good wait for an operator.

The shared secret is in the store of an external credential with one named principal, as its secret \`key\`. While it is replaced, the next secret and, within its grace, the prior one are accepted too.

[Webhooks](webhooks.md) describes what an endpoint accepts, how it responds, and what becomes of a delivery.`,
  example: {
    path: '/hooks/payments',
    runAs: 'admin',
    verification: {
      scheme: 'hmac_sha256',
      externalCredential: 'payments_secret',
      signatureHeader: 'Stripe-Signature#v1',
      signedPayload: '{timestamp}.{body}',
      timestampHeader: 'Stripe-Signature#t',
      toleranceSec: 300,
    },
    dedupe: { idHeader: 'body:/id', windowHours: 48 },
    dispatch: { publishTo: 'payments' },
  },
}
