// Integration clients: their limits, requests and the fields that they use.
import type { ClientsView, ClientUse } from '#wire/clients.ts'
import { get, post, request } from './request.ts'

export type { ClientsView, ClientUse, ClientView } from '#wire/clients.ts'

export const fetchClients = (): Promise<ClientsView> => get('/setup/v3/clients')

export const fetchClientUses = async (key: string): Promise<ClientUse[]> =>
  (await get<{ uses: ClientUse[] }>(`/setup/v3/clients/${encodeURIComponent(key)}/uses`)).uses

/** A valid secret or API key, without the secret. */
export interface ClientSecret {
  id: string
  createdAt: string | null
  createdBy: string | null
  /** Null if it does not expire. */
  expiresAt: string | null
}

/** Shown once. */
export interface NewClientSecret {
  id: string
  clientId: string
  clientSecret: string
  expiresAt: string | null
}

const secretsOf = (key: string): string => `/setup/v3/clients/${encodeURIComponent(key)}/secrets`

export const fetchClientSecrets = async (key: string): Promise<ClientSecret[]> =>
  (await get<{ secrets: ClientSecret[] }>(secretsOf(key))).secrets

/** @param days until it expires; never if omitted */
export const createClientSecret = (key: string, days?: number): Promise<NewClientSecret> =>
  post(secretsOf(key), { days })

export const endClientSecret = (key: string, id: string): Promise<void> =>
  request('DELETE', `${secretsOf(key)}/${encodeURIComponent(id)}`)
