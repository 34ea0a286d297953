// Browser sessions and bearer tokens of users, by the hashes of their secrets.
import type { InvitationRow, SignInReader, SignInRow, SignInTransactor } from '../../ports/sign-ins.ts'
import { all, one, run, type Db } from './db.ts'

const columns =
  'id, hash, kind, user, label, created_at AS createdAt, used_at AS usedAt, expires_at AS expiresAt, operator, server_start AS serverStart'

const invited =
  'user, hash, made_by AS madeBy, made_at AS madeAt, operator, from_folder AS fromFolder, expires_at AS expiresAt'

type StoredInvitation = Omit<InvitationRow, 'fromFolder'> & { fromFolder: 0 | 1 }

const invitationOf = (row: StoredInvitation): InvitationRow => ({ ...row, fromFolder: row.fromFolder === 1 })

export function signInReads(db: Db): SignInReader {
  return {
    signIn: (hash) => one<SignInRow>(db, `SELECT ${columns} FROM sign_in WHERE hash = ?`, hash),
    signIns: (user) =>
      user === undefined
        ? all<SignInRow>(db, `SELECT ${columns} FROM sign_in ORDER BY id DESC`)
        : all<SignInRow>(db, `SELECT ${columns} FROM sign_in WHERE user = ? ORDER BY id DESC`, user),
    lastSignIns: () =>
      new Map(
        all<{ user: string; at: string }>(db, 'SELECT user, at FROM last_sign_in').map(({ user, at }) => [
          user,
          at,
        ]),
      ),
    invitation: (hash) => {
      const row = one<StoredInvitation>(db, `SELECT ${invited} FROM invitation WHERE hash = ?`, hash)
      return row && invitationOf(row)
    },
    invitations: () =>
      all<StoredInvitation>(db, `SELECT ${invited} FROM invitation ORDER BY user`).map(invitationOf),
  }
}

export function signInWrites(db: Db): SignInTransactor {
  return {
    putSignIn: (row) => {
      const { user, createdAt } = row
      run(db, 'INSERT OR REPLACE INTO last_sign_in (user, at) VALUES (?, ?)', user, createdAt)
      run(
        db,
        `INSERT INTO sign_in (id, hash, kind, user, label, created_at, used_at, expires_at, operator, server_start)
         VALUES (@id, @hash, @kind, @user, @label, @createdAt, @usedAt, @expiresAt, @operator, @serverStart)`,
        { ...row },
      )
    },
    recordSignInUse: (id, at) => void run(db, 'UPDATE sign_in SET used_at = ? WHERE id = ?', at, id),
    deleteSignIn: (id) => void run(db, 'DELETE FROM sign_in WHERE id = ?', id),
    deleteSignInsOf: (user, but = '') =>
      void run(db, 'DELETE FROM sign_in WHERE user = ? AND id <> ?', user, but),
    putInvitation: ({ fromFolder, ...row }) =>
      void run(
        db,
        `INSERT OR REPLACE INTO invitation (user, hash, made_by, made_at, operator, from_folder, expires_at)
         VALUES (@user, @hash, @madeBy, @madeAt, @operator, @fromFolder, @expiresAt)`,
        { ...row, fromFolder: fromFolder ? 1 : 0 },
      ),
    deleteInvitationsMadeBy: (maker) =>
      void run(db, 'DELETE FROM invitation WHERE made_by = ? AND from_folder = 0', maker),
    deleteInvitationOf: (user) => void run(db, 'DELETE FROM invitation WHERE user = ?', user),
    deleteExpiredSignIns: (now) => void run(db, 'DELETE FROM sign_in WHERE expires_at <= ?', now),
  }
}
