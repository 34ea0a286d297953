// Integration clients: their limits, requests and the fields that they use.
import type { ClientsView, ClientUse } from '#wire/clients.ts'
import { get } from './request.ts'

export type { ClientsView, ClientUse, ClientView } from '#wire/clients.ts'

export const fetchClients = (): Promise<ClientsView> => get('/setup/v3/clients')

export const fetchClientUses = async (key: string): Promise<ClientUse[]> =>
  (await get<{ uses: ClientUse[] }>(`/setup/v3/clients/${encodeURIComponent(key)}/uses`)).uses
