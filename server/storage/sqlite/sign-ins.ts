// Browser sessions and bearer tokens of users, by the hashes of their secrets.
import type { SignInReader, SignInRow, SignInTransactor } from '../../ports/sign-ins.ts'
import { all, one, run, type Db } from './db.ts'

const columns =
  'id, hash, kind, user, label, created_at AS createdAt, used_at AS usedAt, expires_at AS expiresAt, operator, server_start AS serverStart'

export function signInReader(db: Db): SignInReader {
  return {
    get: (hash) => one<SignInRow>(db, `SELECT ${columns} FROM sign_in WHERE hash = ?`, hash),
    list: (user) =>
      user === undefined
        ? all<SignInRow>(db, `SELECT ${columns} FROM sign_in ORDER BY id DESC`)
        : all<SignInRow>(db, `SELECT ${columns} FROM sign_in WHERE user = ? ORDER BY id DESC`, user),
    lastTimes: () =>
      new Map(
        all<{ user: string; at: string }>(db, 'SELECT user, at FROM last_sign_in').map(({ user, at }) => [
          user,
          at,
        ]),
      ),
  }
}

export function signInTransactor(db: Db, reader: SignInReader): SignInTransactor {
  return {
    ...reader,
    put: (row) => {
      const { user, createdAt } = row
      run(db, 'INSERT OR REPLACE INTO last_sign_in (user, at) VALUES (?, ?)', user, createdAt)
      run(
        db,
        `INSERT INTO sign_in (id, hash, kind, user, label, created_at, used_at, expires_at, operator, server_start)
         VALUES (@id, @hash, @kind, @user, @label, @createdAt, @usedAt, @expiresAt, @operator, @serverStart)`,
        { ...row },
      )
    },
    recordUse: (id, at) => void run(db, 'UPDATE sign_in SET used_at = ? WHERE id = ?', at, id),
    delete: (id) => void run(db, 'DELETE FROM sign_in WHERE id = ?', id),
    deleteOf: (user, but = '') => void run(db, 'DELETE FROM sign_in WHERE user = ? AND id <> ?', user, but),
    deleteExpired: (now) => void run(db, 'DELETE FROM sign_in WHERE expires_at <= ?', now),
  }
}
