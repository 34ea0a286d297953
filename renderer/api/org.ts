// The org, who is asking, the rooms of its component types, its people.
import { get, request } from './request.ts'
import type { Finding, Org, Room } from './wire.ts'

export interface Principals {
  users: { key: string; name: string; active: boolean }[]
  groups: { key: string; name: string }[]
}

export const fetchOrg = (): Promise<Org> => get('/setup/v3/org')
export const fetchRooms = async (): Promise<Room[]> => (await get<{ rooms: Room[] }>('/setup/v3/rooms')).rooms
export const fetchPrincipals = (): Promise<Principals> => get('/setup/v3/principals')
/** Users who are active, and groups, that a text begins: the best matches first. */
export const fetchLivePrincipals = (q: string, signal: AbortSignal): Promise<Principals> =>
  request('GET', '/setup/v3/principals', { query: { q, live: true, limit: 30 }, signal })
/** Users, inactive ones among them, and groups that a text begins. */
export const fetchPeople = (q: string, limit: number, signal: AbortSignal): Promise<Principals> =>
  request('GET', '/setup/v3/principals', { query: { q, limit }, signal })
export const fetchProblems = async (): Promise<Finding[]> =>
  (await get<{ findings: Finding[] }>('/setup/v3/problems')).findings

/** The permission sets that whoever asks holds. */
export const fetchMyPermissionSets = async (): Promise<string[]> =>
  (await get<{ permissionSets: string[] }>('/setup/v3/access/me')).permissionSets
