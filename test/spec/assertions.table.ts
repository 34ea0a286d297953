// Assertions of clients as data (RFC 7523, section 3): what is refused, and why, and what is accepted.
import type { JWTPayload } from 'jose'

export interface AssertionCase {
  name: string
  /** Beside valid ones; seconds are counted from now. */
  claims?: JWTPayload
  seconds?: Record<'exp' | 'nbf' | 'iat', number> | Partial<Record<'exp' | 'nbf' | 'iat', number>>
  without?: string
  /** Names of keys: `ec` and `rsa` are registered, `pss` with its algorithm; `stranger` is that of another client. */
  signer?: 'ec' | 'rsa' | 'pss' | 'ed' | 'p384' | 'stranger' | 'unknown'
  header?: { alg?: string; kid?: string; typ?: string }
  /** As the claim `aud`; `{issuer}` and `{token}` are those of the server. */
  aud?: unknown
  /** Part of the reason; null if it is accepted. */
  refused: RegExp | null
}

const unverified = /^The assertion is not valid, or its client or key is unknown\.$/

export const assertionCases: readonly AssertionCase[] = [
  { name: 'with the token endpoint as its audience', refused: null },
  { name: 'with the issuer as its audience', aud: '{issuer}', refused: null },
  { name: 'with a list of one audience', aud: ['{token}'], refused: null },
  { name: 'with any of the registered keys', signer: 'rsa', refused: null },
  { name: 'with the algorithm that its key names', signer: 'pss', refused: null },
  { name: 'with Ed25519', signer: 'ed', refused: null },
  { name: 'with Ed25519 under its older name', signer: 'ed', header: { alg: 'EdDSA' }, refused: null },
  { name: 'that names its type', header: { typ: 'client-authentication+jwt' }, refused: null },
  { name: 'that names its type as a grant', header: { typ: 'authorization-grant+jwt' }, refused: null },
  { name: 'that names its type as a media type', header: { typ: 'application/JWT' }, refused: null },
  { name: 'without the time of its issue', without: 'iat', refused: null },
  { name: 'that has expired within the difference of clocks', seconds: { exp: -20 }, refused: null },
  { name: 'that begins within the difference of clocks', seconds: { nbf: 20, iat: 20 }, refused: null },

  { name: 'that has expired', seconds: { exp: -60, iat: -120 }, refused: /has expired/ },
  {
    name: 'that is not valid yet',
    seconds: { nbf: 600 },
    refused: /"nbf" of the assertion is in the future/,
  },
  { name: 'issued in the future', seconds: { iat: 600 }, refused: /"iat" of the assertion is in the future/ },
  { name: 'that is valid for an hour', seconds: { exp: 3600 }, refused: /at most 10 minutes/ },
  { name: 'issued for an hour', seconds: { exp: 300, iat: -3300 }, refused: /at most 10 minutes/ },
  {
    name: 'that never expires',
    claims: { exp: 1e15 },
    refused: /"exp" of the assertion is missing or not valid/,
  },
  { name: 'whose end is a text', claims: { exp: '9999999999' as never }, refused: /"exp" .* not valid/ },
  { name: 'whose end is negative', claims: { exp: -1 }, refused: /"exp" .* not valid/ },
  { name: 'whose beginning is a text', claims: { nbf: 'now' as never }, refused: /"nbf" .* not valid/ },
  { name: 'whose time of issue is null', claims: { iat: null as never }, refused: /"iat" .* not valid/ },

  {
    name: 'for another server',
    aud: 'https://elsewhere.example/oauth2/token',
    refused: /"aud" .* must be exactly/,
  },
  { name: 'for the issuer with a slash', aud: '{issuer}/', refused: /"aud"/ },
  { name: 'for the token endpoint with a slash', aud: '{token}/', refused: /"aud"/ },
  { name: 'for a part of the issuer', aud: 'http', refused: /"aud"/ },
  { name: 'for this server and another', aud: ['{token}', 'https://elsewhere.example'], refused: /"aud"/ },
  { name: 'for both names of this server', aud: ['{token}', '{issuer}'], refused: /"aud"/ },
  { name: 'for an empty list', aud: [], refused: /"aud"/ },
  { name: 'for a list within a list', aud: [['{token}']], refused: /"aud"/ },
  { name: 'without an audience', without: 'aud', refused: /"aud"/ },

  { name: 'without an end', without: 'exp', refused: /"exp" of the assertion is missing/ },
  { name: 'without an id', without: 'jti', refused: /"jti" of the assertion is missing/ },
  { name: 'with an empty id', claims: { jti: '' }, refused: /1 to 256 characters/ },
  { name: 'with a long id', claims: { jti: 'x'.repeat(257) }, refused: /1 to 256 characters/ },
  { name: 'whose id is a number', claims: { jti: 7 as never }, refused: /1 to 256 characters/ },
  { name: 'of another subject', claims: { sub: 'stranger' }, refused: /"sub" of the assertion/ },
  { name: 'without a subject', without: 'sub', refused: /"sub" of the assertion/ },

  { name: 'without an issuer', without: 'iss', refused: unverified },
  { name: 'of an unknown client', claims: { iss: 'nobody', sub: 'nobody' }, refused: unverified },
  { name: 'of a client with secrets', claims: { iss: 'reader', sub: 'reader' }, refused: unverified },
  { name: 'signed with a key that nobody has', signer: 'unknown', refused: unverified },
  { name: 'signed with the key of another client', signer: 'stranger', refused: unverified },
  { name: 'signed with a different curve', signer: 'p384', refused: unverified },
  {
    name: 'signed with PSS and a key for PKCS #1',
    signer: 'rsa',
    header: { alg: 'PS256' },
    refused: unverified,
  },
  {
    name: 'signed with PKCS #1 and a key for PSS',
    signer: 'pss',
    header: { alg: 'RS256' },
    refused: unverified,
  },
  {
    name: 'signed with a longer hash than its key has',
    signer: 'rsa',
    header: { alg: 'RS512' },
    refused: unverified,
  },
  { name: 'that is a token of another kind', header: { typ: 'at+jwt' }, refused: unverified },
  { name: 'that is an event about security', header: { typ: 'secevent+jwt' }, refused: unverified },
  { name: 'that names an unknown key', header: { kid: 'other' }, refused: unverified },
]
