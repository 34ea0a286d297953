// Users, groups and effective access.
import type { AccessReport, GroupView, InvitationView, PeopleView, UserView } from '#wire/people.ts'
import type { OpenedSession } from '#wire/session.ts'
import { get, post, request } from './request.ts'

export type {
  AccessReport,
  GroupView,
  InvitationView,
  PeopleView,
  RightView,
  SetAssignment,
  SetRightsView,
  UserView,
} from '#wire/people.ts'

export interface NewUser {
  key: string
  name: string
  groups: string[]
  permissionSets: string[]
  password?: string | undefined
}

export type UserEdit = Partial<Pick<UserView, 'name' | 'active' | 'locale' | 'groups' | 'permissionSets'>>

const userPath = (key: string): string => `/setup/v3/users/${encodeURIComponent(key)}`

export const fetchPeople = (): Promise<PeopleView> => get('/setup/v3/users')

export const addUser = (user: NewUser): Promise<UserView> => post('/setup/v3/users', user)

/** @throws ApiError conflict.stale_principal if another user changed them since `version` */
export const changeUser = (key: string, version: string, edit: UserEdit): Promise<UserView> =>
  request('PUT', userPath(key), { body: { version, ...edit } })

export const setUserPassword = (key: string, password: string): Promise<void> =>
  request('PUT', `${userPath(key)}/password`, { body: { password } })

export const inviteUser = (key: string): Promise<InvitationView> =>
  post(`${userPath(key)}/invitation`, undefined)

/** Notes in the audit that the current user views as this one. */
export const noteViewAs = (key: string): Promise<void> => request('POST', `${userPath(key)}/view-as`)

export const withdrawInvitation = (key: string): Promise<void> =>
  request('DELETE', `${userPath(key)}/invitation`)

export const fetchAccess = (key: string): Promise<AccessReport> => get(`${userPath(key)}/access`)

/** `version` is null for a new group. @throws ApiError conflict.stale_principal, conflict.exists */
export const putGroup = (
  key: string,
  version: string | null,
  group: Pick<GroupView, 'name' | 'permissionSets'>,
): Promise<GroupView> =>
  request('PUT', `/setup/v3/groups/${encodeURIComponent(key)}`, { body: { version, ...group } })

/** @throws ApiError conflict.stale_principal if it changed since `version`; request.invalid if nobody could change rights */
export const deleteGroup = (key: string, version: string): Promise<{ members: string[] }> =>
  request('DELETE', `/setup/v3/groups/${encodeURIComponent(key)}?version=${encodeURIComponent(version)}`)

export const acceptInvitation = (secret: string, password: string): Promise<OpenedSession> =>
  post('/session/invitation', { secret, password })
