// The public digest of a change request is salted, so that it reveals nothing that is hidden from a reader. Approvals
// stay, because they are salted in the same way.
import { createHash, randomBytes } from 'node:crypto'
import { saltedDigest, type Digest } from '#kernel/change/digest.ts'
import { all, run, type Db } from '../db.ts'

const columns = `
ALTER TABLE change_request ADD COLUMN change_digest TEXT NOT NULL DEFAULT '';
-- 64 hexadecimal digits; empty where the request has no change list.
ALTER TABLE change_request ADD COLUMN salt TEXT NOT NULL DEFAULT '';
UPDATE change_request SET change_digest = digest;
`

export function requestDigests(db: Db): void {
  db.exec(columns)
  const ids = all<{ id: string }>(db, 'SELECT id FROM change_request WHERE proposed_approvals IS NULL')
  for (const { id } of ids) {
    const salt = randomBytes(32).toString('hex')
    run(db, 'UPDATE change_request SET salt = ? WHERE id = ?', salt, id)
    saltColumn(db, 'change_request', 'id', id, salt)
    for (const table of ['change_request_approval', 'change_request_event'])
      saltColumn(db, table, 'request', id, salt)
  }
}

function saltColumn(db: Db, table: string, column: string, id: string, salt: string): void {
  const digests = all<{ digest: Digest }>(db, `SELECT DISTINCT digest FROM ${table} WHERE ${column} = ?`, id)
  for (const { digest } of digests)
    run(
      db,
      `UPDATE ${table} SET digest = ? WHERE ${column} = ? AND digest = ?`,
      saltedDigest(digest, salt, sha256),
      id,
      digest,
    )
}

function sha256(text: string): string {
  return createHash('sha256').update(text).digest('hex')
}
