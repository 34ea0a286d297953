// Who is signed in; signing in with a password, and out.
import type { OpenedSession, SessionView } from '#wire/session.ts'
import { get, noteSignIn, post, request } from './request.ts'

export const fetchSession = (): Promise<SessionView> => get('/setup/v3/session')
export async function signIn(user: string, password: string): Promise<OpenedSession> {
  const opened = await post<OpenedSession>('/session/password', { user, password })
  noteSignIn()
  return opened
}
export const signOut = (): Promise<void> => request('DELETE', '/session')
