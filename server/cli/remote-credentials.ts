// Secrets of credentials of an org behind a server.
import { AlmanacError } from '#kernel/errors/almanac-error.ts'
import { redactor } from '../system/index.ts'
import type { CredentialsApi, SecretPlace } from './credentials-api.ts'

interface Requests {
  read<T>(method: 'GET', path: string): Promise<T>
  /** A request whose response is empty. */
  write(method: 'PUT' | 'POST', path: string, body?: unknown): Promise<void>
}

const base = '/setup/v3/credentials'

export function remoteCredentials({ read, write }: Requests): CredentialsApi {
  const at = ({ credential, principal }: SecretPlace): string =>
    `${base}/${encodeURIComponent(credential)}/principals/${encodeURIComponent(principal)}`
  return {
    list: async () => (await read<{ credentials: never[] }>('GET', base)).credentials,
    get: (credential) => read('GET', `${base}/${encodeURIComponent(credential)}`),
    stage: async (place, values) => {
      try {
        await write('PUT', `${at(place)}/next`, { values, user: place.user })
      } catch (error) {
        if (!(error instanceof AlmanacError)) throw error
        // A server that repeats what it received does not show it here.
        throw new AlmanacError(error.code, redactor(Object.values(values))(error.message))
      }
    },
    promote: (place, graceHours) => write('POST', `${at(place)}/promote`, { graceHours, user: place.user }),
    vault: () => read('GET', '/setup/v3/vault'),
    renewVaultKey: () => write('POST', '/setup/v3/vault/renew'),
  }
}
