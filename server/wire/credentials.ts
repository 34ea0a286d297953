// What is shown of the secrets of a credential: never a secret.
import type { UserConsent } from './consents.ts'

/** Secrets that were written together. */
export interface WrittenSecrets {
  version: number
  at: string
  by: string
  /** The names of the secrets. */
  slots: string[]
}

export interface PrincipalSecrets {
  /** Null for secrets that all users share. */
  user: string | null
  current: WrittenSecrets | null
  /** Staged; null if nothing is. */
  next: WrittenSecrets | null
  /** Valid until its time for what others send; null without one. */
  prior: (WrittenSecrets & { until: string }) | null
  /** Null if they were never used. */
  lastUsedAt: string | null
}

export interface CredentialPrincipal {
  key: string
  mode: 'named' | 'per_user'
  /** The secrets that are needed, and those that can be omitted; of each user, or shared by all. */
  slots: { name: string; required: boolean; canBeEmpty: boolean; perUser: boolean }[]
  secrets: PrincipalSecrets[]
}

export interface CredentialSecrets {
  credential: string
  label: string
  scheme: string
  principals: CredentialPrincipal[]
}

/** With the users who were asked for consent; none for a scheme that needs no consent. */
export interface CredentialView extends CredentialSecrets {
  consents: UserConsent[]
}

/** The encrypted store. */
export interface VaultView {
  state: 'empty' | 'open' | 'locked'
  /** Why the vault is locked; null if it is not. */
  reason: string | null
  /** The kind and name of the keys that wrap the data key. */
  keys: { id: string; service: string; wrappedBy: string; createdAt: string }[]
  /** How many secrets and tokens it contains. */
  values: number
  /** Those that do not open, the first hundred: they were altered, or belong to a different vault. */
  unopened: UnopenedValue[]
}

export interface UnopenedValue {
  /** The key of the credential now, or the name of a remote. */
  credential: string
  principal: string
  user: string | null
  name: string
}
