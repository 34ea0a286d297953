// Secrets of external credentials: written, staged, promoted and removed. Nothing returns a secret.
import type { CredentialView, VaultView } from '#wire/credentials.ts'
import { get, post, request } from './request.ts'

export type {
  CredentialPrincipal,
  CredentialView,
  PrincipalSecrets,
  VaultView,
  WrittenSecrets,
} from '#wire/credentials.ts'
export type { UserConsent } from '#wire/consents.ts'

/** A principal, and a user if each has their own secrets. */
export interface SecretPlace {
  credential: string
  principal: string
  user: string | null
}

const base = '/setup/v3/credentials'
const pathOf = ({ credential, principal }: SecretPlace): string =>
  `${base}/${encodeURIComponent(credential)}/principals/${encodeURIComponent(principal)}`
const bodyOf = ({ user }: SecretPlace): { user?: string } => (user === null ? {} : { user })

export const fetchCredentials = async (): Promise<CredentialView[]> =>
  (await get<{ credentials: CredentialView[] }>(base)).credentials

export const fetchVault = (): Promise<VaultView> => get('/setup/v3/vault')

export const stageSecrets = (place: SecretPlace, values: Record<string, string>): Promise<void> =>
  request('PUT', `${pathOf(place)}/next`, { body: { values, ...bodyOf(place) } })

export const promoteSecrets = (place: SecretPlace, graceHours: number): Promise<void> =>
  post(`${pathOf(place)}/promote`, { graceHours, ...bodyOf(place) })

export const unstageSecrets = (place: SecretPlace): Promise<void> =>
  request('DELETE', `${pathOf(place)}/next`, { query: bodyOf(place) })

export const removeSecrets = (place: SecretPlace): Promise<void> =>
  request('DELETE', pathOf(place), { query: bodyOf(place) })

/** Ends the consent of a user, who has to connect the account again. */
export const endConsent = (place: SecretPlace): Promise<void> =>
  request('DELETE', `${pathOf(place)}/consent`, { query: bodyOf(place) })
