// Sessions and tokens of users, listed, created and ended; the user's own password.
import type { MintedToken, SignInView } from '#wire/session.ts'
import { get, post, request } from './request.ts'

export type { MintedToken, SignInView } from '#wire/session.ts'

/** Lists the user's own sign-ins; `*` lists those of all users and needs access.manage. */
export const fetchSignIns = async (user?: string): Promise<SignInView[]> =>
  (await get<{ signIns: SignInView[] }>('/setup/v3/sign-ins', { user })).signIns

export const endSignIn = (id: string): Promise<void> =>
  request('DELETE', `/setup/v3/sign-ins/${encodeURIComponent(id)}`)

/** Ends all sign-ins of a user, or one kind of them; your own if no user is named. Returns how many ended. */
export const endSignIns = async (of: { user?: string; kind?: SignInView['kind'] }): Promise<number> =>
  (await request<{ ended: number }>('DELETE', `/setup/v3/sign-ins?${new URLSearchParams(of)}`)).ended

/** Creates a token that is valid for an hour, or for the requested number of days. It is shown once. */
export const mintToken = (label: string, days?: number): Promise<MintedToken> =>
  post('/setup/v3/tokens', { label, ...(days === undefined ? {} : { days }) })

export const changePassword = (current: string, password: string): Promise<void> =>
  request('PUT', '/setup/v3/password', { body: { current, password } })
