// How deliveries are verified, as data: what is sent to an endpoint of each preset, and what comes of it. Runs against the
// kernel and again over HTTP.

export type Preset = 'github' | 'stripe' | 'standard_webhooks' | 'slack' | 'plain'

export interface WebhookCase {
  name: string
  preset: Preset
  /** What is signed and sent; default `{"id":"1"}`. */
  body?: string
  /** What is sent in place of it. */
  sentBody?: string
  /** Seconds from now, of the time that is signed; default 0. */
  at?: number
  /** The text of the time, signed and sent. */
  timeText?: string
  /** Sent, but not signed. */
  sentTime?: string
  sentId?: string
  /** Of `hex` and `base64`, the signature header; default as the sender writes it. */
  signature?: (signed: { hex: string; base64: string; time: string }) => string
  /** The secret that signs; default `current`. */
  secret?: 'current' | 'next' | 'prior' | 'expired' | 'other'
  /** Headers that are left out. */
  without?: readonly string[]
  result: 'verified' | 'malformed' | 'refused'
  /** The first step that fails. */
  failed?: string
}

const zeros = '0'.repeat(64)

export const webhookCases: readonly WebhookCase[] = [
  ...(['github', 'stripe', 'standard_webhooks', 'slack', 'plain'] as const).flatMap(
    (preset): WebhookCase[] => [
      { name: 'genuine', preset, result: 'verified' },
      { name: 'signed with the next secret', preset, secret: 'next', result: 'verified' },
      { name: 'signed with the prior secret', preset, secret: 'prior', result: 'verified' },
      {
        name: 'signed with a prior secret whose grace has ended',
        ...{ preset, secret: 'expired', result: 'refused', failed: 'signature' },
      },
      { name: 'signed with another secret', preset, secret: 'other', result: 'refused', failed: 'signature' },
      {
        name: 'with one byte changed',
        ...{ preset, sentBody: '{"id":"2"}', result: 'refused', failed: 'signature' },
      },
      { name: 'of an empty body', preset, body: '', result: 'verified' },
      { name: 'of bytes that are not JSON', preset, body: 'a=b&c=%20\u0000é', result: 'verified' },
      {
        name: 'without a signature',
        ...{ preset, without: ['signature'], result: 'malformed', failed: 'signature_header' },
      },
    ],
  ),
  { name: 'bare hexadecimal', preset: 'github', signature: ({ hex }) => hex, result: 'verified' },
  {
    name: 'hexadecimal in capitals',
    preset: 'github',
    signature: ({ hex }) => `SHA256=${hex.toUpperCase()}`,
    result: 'verified',
  },
  { name: 'bare base64', preset: 'plain', signature: ({ base64 }) => base64, result: 'verified' },
  {
    name: 'base64 without padding',
    preset: 'plain',
    signature: ({ base64 }) => base64.replace('=', ''),
    result: 'verified',
  },
  {
    name: 'several signatures, the second of which matches',
    preset: 'standard_webhooks',
    signature: ({ base64 }) => `v1,${Buffer.alloc(32).toString('base64')} v1,${base64}`,
    result: 'verified',
  },
  {
    name: 'several parts, the second of which matches',
    preset: 'stripe',
    signature: ({ hex, time }) => `t=${time},v1=${zeros},v1=${hex},v0=${zeros}`,
    result: 'verified',
  },
  {
    name: 'only an older version of the signature',
    preset: 'stripe',
    signature: ({ hex, time }) => `t=${time},v0=${hex}`,
    ...{ result: 'malformed', failed: 'signature_header' },
  },
  {
    name: 'a signature of another scheme beside it',
    preset: 'standard_webhooks',
    signature: ({ base64 }) => `v1a,${'A'.repeat(86)}== v1,${base64}`,
    result: 'verified',
  },
  ...(
    [
      ['truncated', ({ hex }) => `sha256=${hex.slice(0, 40)}`],
      ['longer', ({ hex }) => `sha256=${hex}00`],
      ['not ASCII', () => `sha256=${'é'.repeat(64)}`],
      ['of an odd length', ({ hex }) => `sha256=${hex.slice(1)}`],
      ['empty after its version', () => 'sha256='],
      ['no digits', () => 'sha256=zz'],
      ['very long', () => `sha256=${'a'.repeat(8000)}`],
      ['nothing but separators', () => ',,; ,'],
      ['zeros', () => `sha256=${zeros}`],
    ] as [string, NonNullable<WebhookCase['signature']>][]
  ).map(([name, signature]): WebhookCase => ({
    ...{ name: `a signature that is ${name}`, preset: 'github', signature },
    ...{ result: 'refused', failed: 'signature' },
  })),
  { name: 'as old as is allowed', preset: 'slack', at: -290, result: 'verified' },
  { name: 'too old', preset: 'slack', at: -310, result: 'refused', failed: 'age' },
  { name: 'from the future, but not too far', preset: 'slack', at: 280, result: 'verified' },
  { name: 'from too far in the future', preset: 'slack', at: 320, result: 'refused', failed: 'age' },
  { name: 'at the beginning of time', preset: 'slack', timeText: '0', result: 'refused', failed: 'age' },
  { name: 'before the beginning of time', preset: 'slack', timeText: '-5', result: 'refused', failed: 'age' },
  {
    name: 'after the end of time',
    ...{ preset: 'slack', timeText: '999999999999999', result: 'refused', failed: 'age' },
  },
  ...['1e9', '12.5', '0x10', 'now', '١٢٣', 'NaN', '9'.repeat(40), '2026-01-01T00:00:00Z'].map(
    (timeText): WebhookCase => ({
      name: `with the time ${timeText.slice(0, 20)}`,
      ...{ preset: 'slack', timeText, result: 'malformed', failed: 'timestamp' },
    }),
  ),
  {
    name: 'without a time',
    ...{ preset: 'slack', without: ['time'], result: 'malformed', failed: 'timestamp' },
  },
  {
    name: 'with another time than was signed',
    ...{ preset: 'standard_webhooks', at: -1, sentTime: 'now', result: 'refused', failed: 'signature' },
  },
  {
    name: 'with another id than was signed',
    ...{ preset: 'standard_webhooks', sentId: 'msg_other', result: 'refused', failed: 'signature' },
  },
  {
    name: 'without its id',
    ...{ preset: 'standard_webhooks', without: ['id'], result: 'malformed', failed: 'id' },
  },
  {
    name: 'with an id that is too long',
    ...{ preset: 'standard_webhooks', sentId: 'm'.repeat(300), result: 'malformed', failed: 'id' },
  },
  { name: 'with an id that is not signed', preset: 'github', sentId: 'another', result: 'verified' },
]
