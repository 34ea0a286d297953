// Secrets of credentials as commands use them, in a local folder or behind a server.
import type { CredentialSecrets, VaultView } from '#wire/credentials.ts'

export interface SecretPlace {
  credential: string
  principal: string
  /** If each user has their own secrets. */
  user?: string | undefined
}

export interface CredentialsApi {
  list(): Promise<CredentialSecrets[]>
  get(credential: string): Promise<CredentialSecrets>
  stage(place: SecretPlace, values: Readonly<Record<string, string>>): Promise<void>
  promote(place: SecretPlace, graceHours: number): Promise<void>
  vault(): Promise<VaultView>
  renewVaultKey(): Promise<void>
}
