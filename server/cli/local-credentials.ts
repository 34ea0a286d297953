// Secrets of credentials of an org in a folder of this machine.
import type { Actor } from '../access/index.ts'
import type { Credentials } from '../credentials/index.ts'
import type { CredentialsApi } from './credentials-api.ts'

export function localCredentials(credentials: () => Credentials, by: Actor): CredentialsApi {
  return {
    list: () => credentials().list(by),
    get: (credential) => credentials().get(by, credential),
    stage: (place, values) => credentials().stage(by, place, values),
    promote: (place, graceHours) => credentials().promote(by, place, graceHours),
    vault: () => credentials().vault(by),
    renewVaultKey: () => credentials().renewKey(by),
  }
}
