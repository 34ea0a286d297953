// Checks that tokens and sign-ins belong to existing users.
import type { Finding } from '#kernel/errors/finding.ts'
import { all, type Db } from '../db.ts'
import { fault } from './fault.ts'

export function peopleFaults(db: Db): Finding[] {
  const rows = all<{ kind: string; user: string }>(
    db,
    `SELECT 'token' AS kind, user FROM token WHERE user NOT IN (SELECT key FROM user)
     UNION ALL SELECT 'sign_in', user FROM sign_in WHERE user NOT IN (SELECT key FROM user)`,
  )
  return rows.map(({ kind, user }) =>
    fault('integrity.token', `${kind}/${user}`, `It belongs to the user "${user}", who does not exist.`),
  )
}
