// Proves our identity to a remote: with the secret from custody, or with a client's token, which is kept in memory for
// its hour only.
import { AlmanacError } from '#kernel/errors/almanac-error.ts'
import type { RemoteProof } from '#wire/remotes.ts'
import type { Clock } from '../ports/clock.ts'
import type { RemoteRow } from '../ports/remotes.ts'
import { clientToken, mintedToken } from './response-schemas.ts'
import { sendRequest } from './remote-request.ts'
import type { RemotesDeps } from './deps.ts'
import type { RemoteAddress } from './remote-error.ts'

/** What is stored of the credentials: the secret in custody, the rest in the remote's row. */
export interface StoredProof {
  proof: Omit<RemoteRow['proof'], 'custody'>
  secret: string
}

export interface ProofStore {
  /** Returns what is to be stored. A password is exchanged for a token of the remote, and then forgotten. */
  exchangeProof(address: RemoteAddress, proof: RemoteProof): Promise<StoredProof>
  saveSecret(key: string, secret: string): Promise<void>
  deleteSecret(key: string): Promise<void>
  /** The bearer token for a remote. @throws AlmanacError `secret.absent`, `secret.custody`, class integration. */
  bearerToken(row: RemoteRow): Promise<string>
  /** A client's token for a secret that is not kept yet. */
  bearerTokenFor(row: RemoteRow, secret: string, client: string): Promise<string>
  /** Called when the given token is no longer accepted. Returns whether a new one can be obtained. */
  discardToken(row: RemoteRow): boolean
}

/** Long enough that the user does not have to sign in every day; the token is listed and revocable there. */
const tokenDays = 90
/** A token is not used in its last minute. */
const marginMs = 60_000

export function createProofStore({ outbound, custody, options, clock, org }: RemotesDeps): ProofStore {
  const tokens = new Map<string, { token: string; until: number }>()
  return {
    exchangeProof: async (address, credentials) => {
      if (credentials.kind === 'client')
        return {
          proof: { kind: 'client', principal: credentials.client, expiresAt: null },
          secret: credentials.secret,
        }
      if (credentials.kind === 'token')
        return { proof: { kind: 'token', principal: null, expiresAt: null }, secret: credentials.token }
      const { user, password } = credentials
      const issuedToken = await sendRequest(outbound, address, {
        method: 'POST',
        path: '/session/token',
        body: () =>
          JSON.stringify({ user, password, label: `Deploy from ${org.facts().name}`, days: tokenDays }),
        responseSchema: mintedToken,
        limits: options.limits,
        secrets: [password],
      })
      const proof = {
        kind: 'password',
        principal: issuedToken.user,
        expiresAt: issuedToken.expiresAt,
      } as const
      return { proof, secret: issuedToken.token }
    },
    saveSecret: async (key, secret) => {
      tokens.delete(key)
      await custody.put(nameOf(key), secret)
    },
    deleteSecret: async (key) => {
      tokens.delete(key)
      await custody.delete(nameOf(key))
    },
    bearerToken: async (row) => {
      const known = tokens.get(row.key)
      if (known !== undefined && known.until > nowOf(clock)) return known.token
      const secret = await secretOf(row)
      if (row.proof.kind !== 'client') return secret
      const response = await tokenOf(row, row.proof.principal ?? '', secret)
      const until = nowOf(clock) + response.expires_in * 1000 - marginMs
      tokens.set(row.key, { token: response.access_token, until })
      return response.access_token
    },
    bearerTokenFor: async (row, secret, client) => (await tokenOf(row, client, secret)).access_token,
    discardToken: (row) => tokens.delete(row.key),
  }

  function tokenOf(
    address: RemoteAddress,
    client: string,
    secret: string,
  ): Promise<{ access_token: string; expires_in: number }> {
    const form = new URLSearchParams({
      grant_type: 'client_credentials',
      client_id: client,
      client_secret: secret,
    })
    return sendRequest(outbound, address, {
      method: 'POST',
      path: '/oauth2/token',
      body: () => form.toString(),
      media: 'application/x-www-form-urlencoded',
      responseSchema: clientToken,
      limits: options.limits,
      secrets: [secret],
    })
  }

  async function secretOf({ key, name, proof }: RemoteRow): Promise<string> {
    if (proof.custody !== custody.kind)
      throw new AlmanacError(
        'secret.absent',
        proof.custody === 'keychain'
          ? `The secret of ${name} is in the keychain, which only the desktop studio can open. Use the desktop studio, or enter the secret here too.`
          : `The secret of ${name} is in a file of the org's folder, but this studio keeps secrets in the keychain. Enter it again.`,
      )
    const secret = await custody.get(nameOf(key))
    if (secret !== null) return secret
    throw new AlmanacError('secret.absent', `The secret of ${name} is no longer stored here. Enter it again.`)
  }
}

function nameOf(key: string): string {
  return `remote/${key}`
}

function nowOf(clock: Clock): number {
  return Date.parse(clock.now())
}
