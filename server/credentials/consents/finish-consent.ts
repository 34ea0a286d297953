// The user returns from the page of another system: whether it is the one who was sent, and what they decided.
import { AlmanacError } from '#kernel/errors/almanac-error.ts'
import type { ConsentAttempt } from '#wire/consents.ts'
import type { SecretOwner } from '../../ports/vault.ts'
import { keyOfIdentity } from '../credential-place.ts'
import { principalSecrets, tokenRequestOf } from '../principal-secrets.ts'
import { exchangeCode, grantDigest } from '../tokens/index.ts'
import { isEqual, parseAddress } from './consent-address.ts'
import { consentContent, parseConsent, type ConsentContent, type ConsentSecrets } from './consent-content.ts'
import { requireConsentPlace } from './consent-place.ts'
import type { ConsentDeps } from './deps.ts'
import { keep, settleConsent } from './settle-consent.ts'
import { openConsent } from './start-consent.ts'

export interface FinishedConsent {
  /** Whether the browser is not the one of the studio. */
  isSystem: boolean
  /** Why consent was not obtained; null if it was. */
  reason: string | null
}

/**
 * Ends the consent of the browser that has the cookie.
 * @param query of the URL that the user returned to
 * @throws AlmanacError `integration.consent_failed` if no consent of this browser is waiting; then nothing has changed
 */
export async function finishConsent(
  deps: ConsentDeps,
  cookie: string | undefined,
  query: string,
): Promise<FinishedConsent> {
  const address = cookie === undefined ? null : parseAddress(cookie)
  const opened = address && (await openConsent(deps, address.owner))
  const state = new URLSearchParams(query).get('state') ?? ''
  if (!address || !opened || !isEqual(opened.secrets.browser, address.secret)) throw unknownConsent()
  // A forged response does not end a consent that is waiting.
  if (!isEqual(opened.secrets.state, state)) throw unknownConsent()
  if (!(await takeOver(deps, address.owner, opened.content))) throw unknownConsent()
  const outcome = await exchange(deps, address.owner, opened, query)
  await settleConsent(deps, address.owner, opened.content.attempt.id, outcome)
  return { isSystem: opened.secrets.isSystem, reason: outcome }
}

const unknownConsent = (): AlmanacError =>
  new AlmanacError(
    'integration.consent_failed',
    'This browser has no consent that is waiting for this response: it was used before, has expired, or was started in a different browser. Start the consent again.',
  )

/** Removes what it needs from the row, so that a second response finds nothing. */
function takeOver({ vault }: ConsentDeps, owner: SecretOwner, { version }: ConsentContent): Promise<boolean> {
  return vault.update(owner, (stored) => {
    const content = stored === null ? null : parseConsent(stored)
    if (content === null || content.version !== version) return { after: keep(content), result: false }
    const attempt: ConsentAttempt = { ...content.attempt, state: 'exchanging' }
    const after = consentContent({ ...content, version: version + 1, sealed: null, attempt })
    return { after, result: true }
  })
}

/** Returns why consent was not obtained; null if the tokens are stored. */
async function exchange(
  deps: ConsentDeps,
  owner: SecretOwner,
  { content, secrets: pending }: { content: ConsentContent; secrets: ConsentSecrets },
  query: string,
): Promise<string | null> {
  const { store, tokens, write, audit } = deps
  const { by } = content
  try {
    // The credential can have been renamed, changed or removed in the meantime, and the grant withdrawn.
    const place = store.read((reader) => {
      const credential = keyOfIdentity(reader, owner.credential)
      return requireConsentPlace(reader, { credential, principal: owner.principal }, owner.user)
    })
    const request = tokenRequestOf(place, place.body, await principalSecrets(deps.secrets, place), {
      actor: owner.user,
    })
    if (grantDigest(request) !== pending.grant)
      return 'The credential now names a different client or server. Start the consent again.'
    const issued = await exchangeCode(request, pending, query, deps)
    // Before the tokens are stored, so that no consent is missing in the audit.
    await write((transactor) =>
      audit(transactor, by, {
        ...{ component: `credential/${place.external.key}`, kind: 'credential.consent_given', before: null },
        after: { principal: owner.principal, user: owner.user, scopes: [...pending.scopes] },
      }),
    )
    await tokens.accept(request, issued, pending.scopes)
    return null
  } catch (error) {
    if (error instanceof AlmanacError) return error.message
    await settleConsent(deps, owner, content.attempt.id, 'An unexpected error. Start the consent again.')
    throw error
  }
}
