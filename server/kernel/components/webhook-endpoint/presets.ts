// How well-known senders sign their deliveries: the form fills them in.
import type { FormPreset } from '../form.ts'

export const webhookPresets: readonly FormPreset[] = [
  {
    key: 'github',
    label: 'GitHub',
    help: 'X-Hub-Signature-256 over the body. GitHub signs no time, so only the id and the signature recognise a repeat.',
    values: {
      verification: {
        scheme: 'hmac_sha256',
        secretEncoding: 'utf8',
        signatureHeader: 'X-Hub-Signature-256',
        signedPayload: '{body}',
        toleranceSec: 300,
      },
      dedupe: { idHeader: 'X-GitHub-Delivery', windowHours: 72 },
    },
  },
  {
    key: 'stripe',
    label: 'Stripe',
    help: 'Stripe-Signature over the time and the body; the id is that of the event.',
    values: {
      verification: {
        scheme: 'hmac_sha256',
        secretEncoding: 'utf8',
        signatureHeader: 'Stripe-Signature#v1',
        signedPayload: '{timestamp}.{body}',
        timestampHeader: 'Stripe-Signature#t',
        toleranceSec: 300,
      },
      dedupe: { idHeader: 'body:/id', windowHours: 96 },
    },
  },
  {
    key: 'standard_webhooks',
    label: 'Standard Webhooks',
    help: 'webhook-signature over the id, the time and the body, with a secret that begins with whsec_.',
    values: {
      verification: {
        scheme: 'hmac_sha256',
        secretEncoding: 'whsec',
        signatureHeader: 'webhook-signature',
        signedPayload: '{id}.{timestamp}.{body}',
        timestampHeader: 'webhook-timestamp',
        toleranceSec: 300,
      },
      dedupe: { idHeader: 'webhook-id', windowHours: 72 },
    },
  },
  {
    key: 'slack',
    label: 'Slack',
    help: 'X-Slack-Signature over the time and the body. The signed challenge of Slack is sent back.',
    values: {
      verification: {
        scheme: 'hmac_sha256',
        secretEncoding: 'utf8',
        signatureHeader: 'X-Slack-Signature',
        signedPayload: 'v0:{timestamp}:{body}',
        timestampHeader: 'X-Slack-Request-Timestamp',
        toleranceSec: 300,
        challenge: '/challenge',
      },
      dedupe: { idHeader: 'body:/event_id', windowHours: 24 },
    },
  },
]
