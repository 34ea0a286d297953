// The org, the current user, the rooms of its component types, its people.
import { get, request } from './request.ts'
import type { Finding, Org, Room } from './wire.ts'

export interface Principals {
  users: { key: string; name: string; active: boolean }[]
  groups: { key: string; name: string }[]
}

export const fetchOrg = (): Promise<Org> => get('/setup/v3/org')
export const fetchRooms = async (): Promise<Room[]> => (await get<{ rooms: Room[] }>('/setup/v3/rooms')).rooms
export const fetchPrincipals = (): Promise<Principals> => get('/setup/v3/principals')
/** Returns active users, and groups, whose key or name begins with a text: the best matches first. */
export const fetchLivePrincipals = (q: string, signal: AbortSignal): Promise<Principals> =>
  request('GET', '/setup/v3/principals', { query: { q, live: true, limit: 30 }, signal })
/** Returns users, including inactive ones, and groups whose key or name begins with a text. */
export const searchPrincipals = (q: string, limit: number, signal: AbortSignal): Promise<Principals> =>
  request('GET', '/setup/v3/principals', { query: { q, limit }, signal })
export const fetchProblems = async (): Promise<Finding[]> =>
  (await get<{ findings: Finding[] }>('/setup/v3/problems')).findings

/** Returns the permission sets of the current user. */
export const fetchMyPermissionSets = async (): Promise<string[]> =>
  (await get<{ permissionSets: string[] }>('/setup/v3/access/me')).permissionSets
