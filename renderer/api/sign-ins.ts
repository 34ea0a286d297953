// Sessions and tokens of users, listed, created and ended; the user's own password.
import type { MintedToken, SignInView } from '#wire/session.ts'
import { get, post, request } from './request.ts'

export type { MintedToken, SignInView } from '#wire/session.ts'

/** The user's own; `*` for those of all users, with access.manage. */
export const fetchSignIns = async (user?: string): Promise<SignInView[]> =>
  (await get<{ signIns: SignInView[] }>('/setup/v3/sign-ins', { user })).signIns

export const endSignIn = (id: string): Promise<void> =>
  request('DELETE', `/setup/v3/sign-ins/${encodeURIComponent(id)}`)

/** Ends all of a user, or one kind of them; your own if no user is named. Returns how many. */
export const endSignIns = async (of: { user?: string; kind?: SignInView['kind'] }): Promise<number> =>
  (await request<{ ended: number }>('DELETE', `/setup/v3/sign-ins?${new URLSearchParams(of)}`)).ended

/** Valid for an hour, or for the days requested. The token is shown once. */
export const mintToken = (label: string, days?: number): Promise<MintedToken> =>
  post('/setup/v3/tokens', { label, ...(days === undefined ? {} : { days }) })

export const changePassword = (current: string, password: string): Promise<void> =>
  request('PUT', '/setup/v3/password', { body: { current, password } })
