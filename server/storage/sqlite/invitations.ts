// One-time links of users, by the hashes of their secrets.
import type { InvitationReader, InvitationRow, InvitationTransactor } from '../../ports/invitations.ts'
import { all, one, run, type Db } from './db.ts'

const columns =
  'user, hash, made_by AS madeBy, made_at AS madeAt, operator, from_folder AS fromFolder, expires_at AS expiresAt'

type StoredInvitation = Omit<InvitationRow, 'fromFolder'> & { fromFolder: 0 | 1 }

const invitationOf = (row: StoredInvitation): InvitationRow => ({ ...row, fromFolder: row.fromFolder === 1 })

export function invitationReader(db: Db): InvitationReader {
  return {
    get: (hash) => {
      const row = one<StoredInvitation>(db, `SELECT ${columns} FROM invitation WHERE hash = ?`, hash)
      return row && invitationOf(row)
    },
    list: () =>
      all<StoredInvitation>(db, `SELECT ${columns} FROM invitation ORDER BY user`).map(invitationOf),
  }
}

export function invitationTransactor(db: Db, reader: InvitationReader): InvitationTransactor {
  return {
    ...reader,
    put: ({ fromFolder, ...row }) =>
      void run(
        db,
        `INSERT OR REPLACE INTO invitation (user, hash, made_by, made_at, operator, from_folder, expires_at)
         VALUES (@user, @hash, @madeBy, @madeAt, @operator, @fromFolder, @expiresAt)`,
        { ...row, fromFolder: fromFolder ? 1 : 0 },
      ),
    deleteOf: (user) => void run(db, 'DELETE FROM invitation WHERE user = ?', user),
    deleteMadeBy: (maker) =>
      void run(db, 'DELETE FROM invitation WHERE made_by = ? AND from_folder = 0', maker),
  }
}
