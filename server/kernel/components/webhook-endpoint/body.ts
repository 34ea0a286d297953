// Body of a webhook endpoint: verify, deduplicate, acknowledge, dispatch.
import { z } from 'zod'
import { key, integerBetween, nonEmptyText } from '../shapes.ts'

/** How the bytes of the secret are written as text; `whsec`: base64 after `whsec_`, as Standard Webhooks writes it. */
export const secretEncodings = ['utf8', 'base64', 'hex', 'whsec'] as const
export type SecretEncoding = (typeof secretEncodings)[number]

/** Not filled in, so that digests stay what they were. */
export const secretEncodingDefault: SecretEncoding = 'utf8'

export const verification = z.strictObject({
  scheme: z.literal('hmac_sha256'),
  /** Has one named principal, whose slot `key` is the secret. */
  externalCredential: key,
  secretEncoding: z.enum(secretEncodings).optional(),
  /** Can name a part, as in `Stripe-Signature#v1`. */
  signatureHeader: nonEmptyText,
  /** `{timestamp}` and `{body}` are replaced with the value of the header and the raw body. */
  signedPayload: nonEmptyText.default('{timestamp}.{body}'),
  /** Can be a part of the signature header, as in `Stripe-Signature#t`. */
  timestampHeader: nonEmptyText.optional(),
  toleranceSec: integerBetween(1, 86_400).default(300),
  /** JSON pointer into the body: a text there is sent back, as Slack wants it. */
  challenge: nonEmptyText.optional(),
})

export const dedupe = z.strictObject({
  /** A header, or a pointer into the body as in `body:/id`. Replaces `{id}` in the signed payload. */
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
  /**
   * For `publishTo` and `automation`: field or parameter → JSON pointer into the delivered body. What is not listed comes from
   * the member of the same name.
   */
  values: z.record(z.string(), nonEmptyText).optional(),
})

export const webhookEndpointBody = z.strictObject({
  path: nonEmptyText,
  runAs: nonEmptyText,
  verification,
  dedupe: dedupe.prefault({}),
  dispatch,
})

export type WebhookEndpointBody = z.output<typeof webhookEndpointBody>
