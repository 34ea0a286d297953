// HTTP types of consents: the accounts at other systems that a user connects.

/** Where the page of the other system opens: in the browser that asks, or in the browser of this machine. */
export type ConsentBrowser = 'this' | 'system'

/** The last consent that a user was asked for. */
export interface ConsentAttempt {
  id: string
  /** `exchanging`: the user has returned, and the token is being requested. */
  state: 'waiting' | 'exchanging' | 'granted' | 'refused'
  at: string
  /** Why it was refused; null otherwise. */
  reason: string | null
}

/** An account of the current user at another system. */
export interface ConnectedAccount {
  credential: string
  label: string
  principal: string
  /** The host of the page that asks for consent. */
  host: string
  scopes: string[]
  /** `not_ready`: the client of the credential has no secrets yet. */
  state: 'connected' | 'paused' | 'consent_required' | 'not_ready'
  last: ConsentAttempt | null
}

/** The account of any user, for those who manage credentials. */
export interface UserConsent extends Pick<ConnectedAccount, 'principal' | 'state' | 'last'> {
  user: string
  /** Whether the user is granted the principal; otherwise the account is not used. */
  isGranted: boolean
}

export interface StartedConsent {
  id: string
  /** The page to open, once. */
  url: string
  expiresAt: string
}
