// Sends a user to the page of another system. What must come back with them is sealed in the vault until then.
import type { StartedConsent, ConsentBrowser } from '#wire/consents.ts'
import type { Actor } from '../../access/index.ts'
import type { SecretOwner } from '../../ports/vault.ts'
import { principalSecrets, tokenRequestOf } from '../principal-secrets.ts'
import { authorizationRequest, grantDigest } from '../tokens/index.ts'
import type { Seal } from '../vault.ts'
import { formatAddress, isEqual, parseAddress } from './consent-address.ts'
import {
  consentContent,
  consentSlot,
  parseConsent,
  type ConsentContent,
  type ConsentSecrets,
} from './consent-content.ts'
import { requireConsentPlace, type ConsentName } from './consent-place.ts'
import type { ConsentDeps } from './deps.ts'
import { keep, settleConsent } from './settle-consent.ts'

/** How long a user can take at the other system. */
const patienceMs = 10 * 60_000

/** For the browser that is sent: the page, and the cookie that returns with the user. */
export interface Departure {
  url: string
  /** Names the cookie, so that several consents can be given at once. */
  state: string
  cookie: string
  expiresAt: string
}

export interface ConsentStart {
  redirectUri: string
  browser: ConsentBrowser
  /** The URL that opens the page in the browser of this machine. */
  ticketUrl(ticket: string): string
}

/** @returns the departure of this browser; null if the page opens in a different one */
export async function startConsent(
  deps: ConsentDeps,
  by: Actor,
  named: ConsentName,
  { redirectUri, browser, ticketUrl }: ConsentStart,
): Promise<{ started: StartedConsent; departure: Departure | null }> {
  const { store, vault, clock, ids, secrets, randomness } = deps
  const place = store.read((reader) => requireConsentPlace(reader, named, by.actor))
  const request = tokenRequestOf(place, place.body, await principalSecrets(secrets, place), by)
  const { url, pending } = authorizationRequest(request, redirectUri, randomness)
  const random = (): string => Buffer.from(randomness.bytes(32)).toString('base64url')
  const isSystem = browser === 'system'
  const content: ConsentSecrets = {
    isSystem,
    ...{ ...pending, url, browser: random(), ticket: isSystem ? { secret: random(), isUsed: false } : null },
    grant: grantDigest(request),
  }
  const at = clock.now()
  const until = new Date(Date.parse(at) + patienceMs).toISOString()
  const id = ids.uuid()
  const { owner } = place
  await vault.update(owner, (stored, seal) => {
    const version = (stored === null ? 0 : parseConsent(stored).version) + 1
    const { actor, correlationId, operatorName } = by
    const waiting: ConsentContent = {
      ...{ version, until, attempt: { id, state: 'waiting', at, reason: null } },
      by: { actor, correlationId, operatorName },
      sealed: sealContent(seal, version, content),
    }
    return { after: consentContent(waiting), result: undefined }
  })
  const departure = departureOf(owner, content, until)
  return content.ticket === null
    ? { started: { id, url, expiresAt: until }, departure }
    : {
        started: {
          id,
          url: ticketUrl(formatAddress({ owner, secret: content.ticket.secret })),
          expiresAt: until,
        },
        departure: null,
      }
}

/**
 * Opens the page in a browser that has no session; null if the ticket is not valid. A ticket that comes twice ends the
 * consent: other users of the machine can read the arguments with which a browser is started.
 */
export async function redeemTicket(deps: ConsentDeps, ticket: string): Promise<Departure | null> {
  const address = parseAddress(ticket)
  const opened = address && (await openConsent(deps, address.owner))
  if (!address || !opened || opened.secrets.ticket === null) return null
  const { ticket: stored } = opened.secrets
  if (!isEqual(stored.secret, address.secret)) return null
  if (stored.isUsed) {
    await settleConsent(deps, address.owner, opened.content.attempt.id, openedTwice)
    return null
  }
  const used: ConsentSecrets = { ...opened.secrets, ticket: { ...stored, isUsed: true } }
  const isOurs = await deps.vault.update(address.owner, (stored, seal) => {
    const content = stored === null ? null : parseConsent(stored)
    if (content?.version !== opened.content.version) return { after: keep(content), result: false }
    const version = content.version + 1
    const after = consentContent({ ...content, version, sealed: sealContent(seal, version, used) })
    return { after, result: true }
  })
  return isOurs ? departureOf(address.owner, used, opened.content.until) : null
}

const openedTwice = 'Its link was opened twice, and one of them was possibly not by you. Start it again.'

/** A consent that is waiting for its user; null without one. */
export async function openConsent(
  { rows, vault, clock }: ConsentDeps,
  owner: SecretOwner,
): Promise<{ content: ConsentContent; secrets: ConsentSecrets } | null> {
  const row = await rows.get(owner)
  const content = row === null ? null : parseConsent(row.content)
  if (content === null || content.sealed === null || content.until <= clock.now()) return null
  return { content, secrets: JSON.parse(await vault.open(owner, content.sealed)) as ConsentSecrets }
}

const sealContent = (seal: Seal, version: number, content: ConsentSecrets) =>
  seal(consentSlot, version, JSON.stringify(content))

const departureOf = (
  owner: SecretOwner,
  { url, state, browser }: ConsentSecrets,
  expiresAt: string,
): Departure => ({ url, state, cookie: formatAddress({ owner, secret: browser }), expiresAt })
