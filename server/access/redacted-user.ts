// A user in the form that audit and responses show: never the hash of a password.
import type { UserRow } from '../ports/people.ts'

export type RedactedUser = Omit<UserRow, 'passwordHash'> & { password: 'none' | 'set' }

export function redactUser({ passwordHash, ...row }: UserRow): RedactedUser {
  return { ...row, password: passwordHash === null ? 'none' : 'set' }
}
