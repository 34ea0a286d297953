// Access tokens of clients, by their hashes.
import type { TokenReader, TokenRow, TokenTransactor } from '../../ports/tokens.ts'
import { one, run, type Db } from './db.ts'

export function tokenReader(db: Db): TokenReader {
  return {
    get: (hash) =>
      one<TokenRow>(
        db,
        'SELECT hash, client, user, expires_at AS expiresAt, operator, key FROM token WHERE hash = ?',
        hash,
      ),
  }
}

export function tokenTransactor(db: Db, reader: TokenReader): TokenTransactor {
  return {
    ...reader,
    put: (row) =>
      void run(
        db,
        `INSERT INTO token (hash, client, user, expires_at, operator, key)
         VALUES (@hash, @client, @user, @expiresAt, @operator, @key)`,
        { ...row },
      ),
    deleteOf: (user) => void run(db, 'DELETE FROM token WHERE user = ?', user),
    deleteExpired: (now) => void run(db, 'DELETE FROM token WHERE expires_at <= ?', now),
    useAssertion: (assertion, now) => {
      run(db, 'DELETE FROM used_assertion WHERE expires_at <= ?', now)
      const sql = 'INSERT OR IGNORE INTO used_assertion (hash, expires_at) VALUES (@hash, @expiresAt)'
      return run(db, sql, { ...assertion }) === 1
    },
    move: (moves) => {
      const json = JSON.stringify([...moves])
      run(
        db,
        'DELETE FROM token WHERE client IN (SELECT value ->> 0 FROM json_each(?) WHERE value ->> 1 IS NULL)',
        json,
      )
      const sql = `UPDATE token SET client = moved.value ->> 1 FROM json_each(?) AS moved WHERE client = moved.value ->> 0`
      run(db, sql, json)
    },
  }
}
