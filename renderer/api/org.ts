// The org, the current user, the rooms of its component types, its people.
import type { AccessView } from '#wire/people.ts'
import type { PrincipalsView } from '#wire/index.ts'
import { get, request } from './request.ts'
import type { Finding, Org, Room } from './wire.ts'

export type Principals = Pick<PrincipalsView, 'users' | 'groups'>

export const fetchOrg = (): Promise<Org> => get('/setup/v3/org')
export const fetchRooms = async (): Promise<Room[]> => (await get<{ rooms: Room[] }>('/setup/v3/rooms')).rooms
export const fetchPrincipals = (): Promise<PrincipalsView> => get('/setup/v3/principals')
/** Returns active users, and groups, whose key or name begins with a text: the best matches first. */
export const fetchLivePrincipals = (q: string, signal: AbortSignal): Promise<PrincipalsView> =>
  request('GET', '/setup/v3/principals', { query: { q, live: true, limit: 30 }, signal })
/** Returns users, including inactive ones, and groups whose key or name begins with a text. */
export const searchPrincipals = (q: string, limit: number, signal: AbortSignal): Promise<PrincipalsView> =>
  request('GET', '/setup/v3/principals', { query: { q, limit }, signal })
export const fetchProblems = async (): Promise<Finding[]> =>
  (await get<{ findings: Finding[] }>('/setup/v3/problems')).findings

/** Returns the permission sets of the current user. */
export const fetchMyPermissionSets = async (): Promise<readonly string[]> =>
  (await get<AccessView>('/setup/v3/access/me')).permissionSets
