// Consents of users: the accounts at other systems that calls use in their name (docs/reference/credentials.md).
import { AlmanacError } from '#kernel/errors/almanac-error.ts'
import type { ConnectedAccount, StartedConsent, UserConsent } from '#wire/consents.ts'
import { requireActorPermission, type Actor } from '../../access/index.ts'
import { explainNoGrant, principalSecrets, tokenRequestOf } from '../principal-secrets.ts'
import type { TokenState } from '../tokens/index.ts'
import { parseConsent, shownAttempt } from './consent-content.ts'
import {
  askedUsers,
  consentIdentity,
  findConsentPlace,
  grantedConsentPlaces,
  requireConsentPlace,
  type ConsentName,
  type ConsentPlace,
} from './consent-place.ts'
import type { ConsentDeps } from './deps.ts'
import { finishConsent, type FinishedConsent } from './finish-consent.ts'
import { redeemTicket, startConsent, type ConsentStart, type Departure } from './start-consent.ts'

export interface Consents {
  /** The accounts that a user is granted, with the state of each. */
  list(user: string): Promise<ConnectedAccount[]>
  /**
   * The accounts of all users who were asked for consent to a credential, by principal and user.
   * @throws AlmanacError `vault.key`
   */
  of(credential: string): Promise<UserConsent[]>
  /**
   * Begins the consent of the actor; one that was waiting before ends.
   * @throws AlmanacError `access.denied`, `integration.secret_absent`, `vault.key`
   */
  start(
    by: Actor,
    named: ConsentName,
    how: ConsentStart,
  ): Promise<{ started: StartedConsent; departure: Departure | null }>
  /** Opens the page in the browser of this machine; null if the ticket is not valid, or was used. */
  redeem(ticket: string): Promise<Departure | null>
  /** @throws AlmanacError `integration.consent_failed` if no consent of this browser is waiting */
  finish(cookie: string | undefined, query: string): Promise<FinishedConsent>
  /**
   * Removes the tokens of a consent: that of the actor, or with integration.manage_credentials that of any user.
   * @throws AlmanacError `access.denied`, `secret.absent`, `vault.key`
   */
  withdraw(by: Actor, named: ConsentName, user: string): Promise<void>
}

export function createConsents(deps: ConsentDeps): Consents {
  const { store, rows, tokens, secrets, clock, write, audit } = deps
  const stateOf = async (place: ConsentPlace, user: string): Promise<ConnectedAccount['state']> => {
    try {
      const request = tokenRequestOf(place, place.body, await principalSecrets(secrets, place), {
        actor: user,
      })
      return accountStates[(await tokens.state(request)).state]
    } catch (error) {
      if (error instanceof AlmanacError && error.code === 'integration.secret_absent') return 'not_ready'
      throw error
    }
  }
  const accountOf = async (place: ConsentPlace, user: string): Promise<ConnectedAccount> => {
    const { external, principal, body } = place
    const row = await rows.get(place.owner)
    return {
      ...{ credential: external.key, label: external.label ?? external.key, principal: principal.key },
      ...{ host: new URL(body.authorizationUrl).host, scopes: [...body.scopes] },
      state: await stateOf(place, user),
      last: row === null ? null : shownAttempt(parseConsent(row.content), clock.now()),
    }
  }
  return {
    list: (user) =>
      Promise.all(
        store.read((reader) => grantedConsentPlaces(reader, user)).map((place) => accountOf(place, user)),
      ),
    of: async (credential) => {
      const identity = store.read((reader) => consentIdentity(reader, credential))
      if (identity === null) return []
      const found: UserConsent[] = []
      for (const { principal, user } of askedUsers(await rows.list(identity))) {
        const place = store.read((reader) => findConsentPlace(reader, { credential, principal }, user))
        if (place === null) continue
        const isGranted = store.read((reader) => explainNoGrant(reader, place, user)) === null
        const { state, last } = await accountOf(place, user)
        found.push({ principal, user, state, last, isGranted })
      }
      return found
    },
    start: (by, named, how) => startConsent(deps, by, named, how),
    redeem: (ticket) => redeemTicket(deps, ticket),
    finish: (cookie, query) => finishConsent(deps, cookie, query),
    withdraw: async (by, named, user) => {
      const place = store.read((reader) => {
        if (user === by.actor) return findConsentPlace(reader, named, user)
        requireActorPermission(by, reader, 'integration.manage_credentials', `to end a consent of ${user}`)
        return findConsentPlace(reader, named, user)
      })
      const { credential, principal } = named
      if (place === null || !(await tokens.isStored({ credential, principal, user }))) {
        // A user who is not granted the principal is not shown whether it exists.
        if (user === by.actor) store.read((reader) => requireConsentPlace(reader, named, user))
        throw new AlmanacError('secret.absent', `${user} has not connected ${principal} of ${credential}.`)
      }
      await write((transactor) =>
        audit(transactor, by, {
          ...{ component: `credential/${credential}`, kind: 'credential.consent_withdrawn' },
          ...{ before: { principal, user }, after: null },
        }),
      )
      await tokens.forget({ credential, principal, user })
    },
  }
}

const accountStates: Record<TokenState['state'], ConnectedAccount['state']> = {
  ready: 'connected',
  paused: 'paused',
  consent_required: 'consent_required',
}
