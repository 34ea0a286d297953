// The errors of tokens; none contains a secret.
import { AlmanacError } from '#kernel/errors/almanac-error.ts'
import type { TokenAddress, TokenPause } from './token-store.ts'

export function consentRequired({ credential, principal, user }: TokenAddress): AlmanacError {
  const detail = `The credential ${credential} needs the consent of ${user === null ? 'a user' : `the user ${user}`}: it was not given, was revoked or does not include the scopes. Give consent, then repeat the call.`
  return new AlmanacError('integration.consent_required', detail, {
    details: [{ credential, principal, user }],
  })
}

/** No token, until the pause is over. */
export function noToken({ credential }: TokenAddress, pause: TokenPause, now: number): AlmanacError {
  const seconds = Math.max(1, Math.ceil((pause.until - now) / 1000))
  const cause = `The token endpoint of the credential ${credential} issued no token: ${pause.reason}.`
  if (pause.kind === 'passing')
    return new AlmanacError('integration.token_unavailable', `${cause} It is asked again in ${seconds} s.`, {
      retryAfter: seconds,
    })
  return new AlmanacError('integration.token_refused', `${cause} Correct the credential or its secrets.`)
}

/** Another process holds the claim for too long. */
export function claimedElsewhere({ credential }: TokenAddress): AlmanacError {
  const detail = `Another process is requesting a token for the credential ${credential}, and is not done yet.`
  return new AlmanacError('integration.token_unavailable', detail, { retryAfter: 5 })
}

/** Requesting one token after the other would not help. */
export function refusedAtOnce({ credential }: TokenAddress): AlmanacError {
  const detail = `The endpoint does not accept a token for the credential ${credential} that was issued a moment ago. Check the scopes and the audience.`
  return new AlmanacError('integration.token_refused', detail)
}
