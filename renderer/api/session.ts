// Who is signed in; signing in with a password, and out.
import type { OpenedSession, SessionView } from '#wire/session.ts'
import { get, post, request } from './request.ts'

export const fetchSession = (): Promise<SessionView> => get('/setup/v3/session')
export const signIn = (user: string, password: string): Promise<OpenedSession> =>
  post('/session/password', { user, password })
export const signOut = (): Promise<void> => request('DELETE', '/session')
