// Proves to a target who calls: finds the principal of a named credential, checks who may use it, and signs each attempt
// with the secrets as they are then.
import type { ComponentOf } from '#kernel/components/body-types.ts'
import { tokenDefaults } from '#kernel/components/external-credential/body.ts'
import { AlmanacError } from '#kernel/errors/almanac-error.ts'
import { effectiveAccess } from '../access/index.ts'
import type {
  CalloutAuthentication,
  CalloutCredential,
  CalloutGrants,
  SignedRequest,
  UnsignedRequest,
} from '../ports/callout-authentication.ts'
import type { Clock } from '../ports/clock.ts'
import type { OrgReader, OrgStore } from '../ports/org-store.ts'
import type { SecretOwner } from '../ports/vault.ts'
import { redactor } from '../system/index.ts'
import { cachedReads } from './cached-reads.ts'
import { ownerOf, requireCredential, slotsOf, type Credential, type Principal } from './credential-place.ts'
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
  const reads = cachedReads<string | null>(store)
  return {
    check: (credential, actor) =>
      reads(nameOf(credential, actor), (reader) => {
        const view = reader.generations.view(reader.generations.active())
        const { principal } = placeOf(reader, credential)
        if (reader.people.user(actor)?.active !== true) return `the user ${actor} is not active`
        const { permissionSets, platformRoot } = effectiveAccess(reader, actor, view)
        if (platformRoot || principal.grantedTo.some((key) => permissionSets.includes(key))) return null
        return `${actor} is not granted the principal ${principal.key} of ${credential.body.externalCredential}`
      }),
  }
}

export function createCallAuthentication({
  store,
  clock,
  secrets,
  tokens,
}: CallAuthenticationDeps): CalloutAuthentication {
  const reads = cachedReads<CallPlace>(store)
  return {
    authenticate: async (request) => {
      const { credential, actor } = request
      const { external, principal, owners } = reads(nameOf(credential, actor), (reader) =>
        placeOf(reader, credential, actor),
      )
      const { values, version } = await secretsOf(secrets, owners)
      if (values === null) throw absent(external.key, principal.key)
      const { body } = external
      const token =
        'tokenUrl' in body ? await accessToken(request, { external, principal, values, version }) : undefined
      const signed = authenticate(
        body,
        values,
        {
          method: request.method,
          url: request.url,
          headers: request.headers,
          ...(request.body && { body: request.body }),
        },
        { credential: external.key, now: clock.now(), ...(token !== undefined && { accessToken: token }) },
      )
      const result: SignedRequest = {
        ...{ url: signed.url, headers: signed.headers },
        redact: redactor([...Object.values(values), token]),
        refreshOn: 'tokenUrl' in body ? (body.refreshOn ?? tokenDefaults.refreshOn) : undefined,
      }
      return signed.tls === undefined ? result : { ...result, tls: tlsIdentity(signed.tls) }
    },
  }

  async function accessToken(
    { actor, isRefused }: UnsignedRequest,
    { external, principal, values, version }: Obtaining,
  ): Promise<string> {
    const request: TokenRequest = {
      ...{ credential: external.key, body: external.body as TokenRequest['body'], secrets: values },
      ...{
        principal: principal.key,
        user: principal.mode === 'per_user' ? actor : null,
        secretVersion: version,
      },
    }
    const token = await tokens.access(request)
    return isRefused ? tokens.renew(request, token) : token
  }
}

const nameOf = ({ body }: CalloutCredential, actor: string): string =>
  JSON.stringify([body.externalCredential, body.principal, actor])

interface Obtaining {
  external: Credential
  principal: Principal
  values: Readonly<Record<string, string>>
  version: string
}

interface CallPlace {
  external: Credential
  principal: Principal
  /** Whose secrets the call uses: those that all users share, and the user's own. */
  owners: SecretOwner[]
}

/** @throws AlmanacError `component.not_found`, `component.invalid` */
function placeOf(
  reader: Pick<OrgReader, 'generations' | 'identities'>,
  { body }: CalloutCredential,
  actor = '',
): CallPlace {
  const external: ComponentOf<'external_credential'> = requireCredential(reader, body.externalCredential)
  const principal = external.body.principals.find(({ key }) => key === body.principal)
  if (principal === undefined)
    throw new AlmanacError(
      'component.invalid',
      `${external.key} no longer has the principal ${body.principal}.`,
    )
  const slots = slotsOf(external, principal)
  const users = [
    ...(slots.some(({ perUser }) => !perUser) ? [null] : []),
    ...(slots.some(({ perUser }) => perUser) ? [actor] : []),
  ]
  return { external, principal, owners: users.map((user) => ownerOf(reader, external, principal.key, user)) }
}

async function secretsOf(
  source: SecretSource,
  owners: readonly SecretOwner[],
): Promise<{ values: Record<string, string> | null; version: string }> {
  const found = await Promise.all(owners.map((owner) => source.current(owner)))
  const stored = found.filter((each) => each !== null)
  const values = stored.length === 0 ? null : Object.assign({}, ...stored.map((each) => each.values))
  return { values, version: found.map((each) => each?.version ?? 0).join('.') }
}

const absent = (credential: string, principal: string): AlmanacError =>
  new AlmanacError(
    'integration.secret_absent',
    `${principal} of ${credential} has no secrets in this org. A user with integration.manage_credentials can write them.`,
  )
