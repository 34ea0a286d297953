// Proves to a target who calls: finds the principal of a named credential, checks who may use it, and signs each attempt
// with the secrets as they are then.
import { tokenDefaults, type ExternalCredentialBody } from '#kernel/components/external-credential/body.ts'
import { isPublicSlot } from '#kernel/components/external-credential/secret-slots.ts'
import type {
  CalloutAuthentication,
  CalloutCredential,
  CalloutGrants,
  SignedRequest,
  UnsignedRequest,
} from '../ports/callout-authentication.ts'
import type { Clock } from '../ports/clock.ts'
import type { OrgStore } from '../ports/org-store.ts'
import { redactor } from '../system/index.ts'
import { cachedReads, callMoment } from './cached-reads.ts'
import {
  callPlace,
  explainNoGrant,
  principalSecrets,
  tokenRequestOf,
  type CallPlace,
  type PrincipalSecrets,
} from './principal-secrets.ts'
import type { SecretSource } from './resolve-secrets.ts'
import { authenticate } from './schemes/index.ts'
import { tlsIdentity } from './tls-identity.ts'
import type { TokenRequest, Tokens } from './tokens/index.ts'

export interface CallAuthenticationDeps {
  store: Pick<OrgStore, 'read' | 'position'>
  clock: Clock
  secrets: SecretSource
  tokens: Pick<Tokens, 'access' | 'renew'>
}

/** @returns why the user cannot use the principal of a named credential now; null if they can */
export function createCallGrants({ store }: Pick<CallAuthenticationDeps, 'store'>): CalloutGrants {
  const reads = cachedReads<string | null>(store, callMoment)
  return {
    check: (credential, actor) =>
      reads(nameOf(credential, actor), (reader) =>
        explainNoGrant(reader, callPlace(reader, placeOf(credential)), actor),
      ),
  }
}

const placeOf = ({ body }: CalloutCredential): { credential: string; principal: string } => ({
  credential: body.externalCredential,
  principal: body.principal,
})

export function createCallAuthentication({
  store,
  clock,
  secrets,
  tokens,
}: CallAuthenticationDeps): CalloutAuthentication {
  const reads = cachedReads<CallPlace>(store, callMoment)
  return {
    // Without waiting, if all that it needs is in memory.
    authenticate: (request) => {
      const { credential, actor } = request
      const place = reads(nameOf(credential, actor), (reader) =>
        callPlace(reader, placeOf(credential), actor),
      )
      const obtained = principalSecrets(secrets, place)
      return obtained instanceof Promise
        ? obtained.then((all) => withSecrets(request, place, all))
        : withSecrets(request, place, obtained)
    },
  }

  function withSecrets(
    request: UnsignedRequest,
    place: CallPlace,
    obtained: PrincipalSecrets,
  ): Promise<SignedRequest> | SignedRequest {
    const { body } = place.external
    if (!('tokenUrl' in body)) return signed(request, place, obtained.values)
    const wanted = tokenRequestOf(place, body, obtained, request)
    return accessToken(request, wanted).then((token) => {
      const result = signed(request, place, obtained.values, token)
      tokenOf.set(result, token)
      return result
    })
  }

  function signed(
    { method, url, headers, body: bytes }: UnsignedRequest,
    { external: { key, body } }: CallPlace,
    values: PrincipalSecrets['values'],
    accessToken?: string,
  ): SignedRequest {
    const request = { method, url, headers, body: bytes }
    const context = { credential: key, now: clock.now(), accessToken }
    const sent = authenticate(body, values, request, context)
    return {
      url: sent.url,
      headers: sent.headers,
      tls: sent.tls && tlsIdentity(sent.tls),
      redact: redactorOf(body, values, accessToken),
      refreshOn: 'tokenUrl' in body ? (body.refreshOn ?? tokenDefaults.refreshOn) : undefined,
    }
  }

  function accessToken({ refused }: UnsignedRequest, request: TokenRequest): Promise<string> {
    // The token that was sent, not the one that is stored now: other calls can have renewed it since.
    const sent = refused === null ? undefined : tokenOf.get(refused)
    return sent === undefined ? tokens.access(request) : tokens.renew(request, sent)
  }
}

/** The token of each signed request, as long as the request exists. */
const tokenOf = new WeakMap<SignedRequest, string>()

interface KeptRedactor {
  token: string | undefined
  redact: (text: string) => string
}

/** A redactor is made once for the same secrets, and dropped with them. */
const redactors = new WeakMap<object, KeptRedactor>()

function redactorOf(
  body: ExternalCredentialBody,
  values: Readonly<Record<string, string>>,
  token: string | undefined,
): (text: string) => string {
  const known = redactors.get(values)
  if (known !== undefined && known.token === token) return known.redact
  const secrets = Object.entries(values).filter(([slot]) => !isPublicSlot(body, slot))
  const redact = redactor([...secrets.map(([, value]) => value), token])
  redactors.set(values, { token, redact })
  return redact
}

/** Keys contain no blank. */
const nameOf = ({ body }: CalloutCredential, actor: string): string =>
  `${body.externalCredential} ${body.principal} ${actor}`
