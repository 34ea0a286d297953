// Body of a webhook endpoint: verify, deduplicate, acknowledge, dispatch.
import { z } from 'zod'
import { key, integerBetween, nonEmptyText } from '../shapes.ts'

export const verification = z.strictObject({
  scheme: z.literal('hmac_sha256'),
  externalCredential: key,
  signatureHeader: nonEmptyText,
  /** `{timestamp}` and `{body}` are replaced with the value of the header and the raw body. */
  signedPayload: nonEmptyText.default('{timestamp}.{body}'),
  /** Can be a part of the signature header, as in `Stripe-Signature#t`. */
  timestampHeader: nonEmptyText.optional(),
  toleranceSec: integerBetween(1, 86_400).default(300),
})

export const dedupe = z.strictObject({
  /** A header, or a pointer into the body as in `body:/id`. */
  idHeader: nonEmptyText.optional(),
  windowHours: integerBetween(1, 720).default(24),
})

export const upsertMapping = z.strictObject({
  object: key,
  /** The field that finds an existing record. */
  externalId: key,
  /** Field → JSON pointer into the delivered body. */
  values: z.record(z.string(), nonEmptyText),
})

/** Exactly one of the three; a rule reports it. */
export const dispatch = z.strictObject({
  publishTo: key.optional(),
  automation: key.optional(),
  upsert: upsertMapping.optional(),
})

export const webhookEndpointBody = z.strictObject({
  path: nonEmptyText,
  runAs: nonEmptyText,
  verification,
  dedupe: dedupe.prefault({}),
  dispatch,
})

export type WebhookEndpointBody = z.output<typeof webhookEndpointBody>
