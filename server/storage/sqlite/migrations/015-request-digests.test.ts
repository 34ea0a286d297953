// Requests in a file of the previous schema keep their approvals, and no longer show the digest of their change list.
import { createHash } from 'node:crypto'
import Database from 'better-sqlite3'
import { expect, it } from 'vitest'
import { saltedDigest, type Digest } from '#kernel/change/digest.ts'
import { requestDigests } from './015-request-digests.ts'
import { migrations } from './index.ts'

const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex')
const first = `jcs1:sha256:${'a'.repeat(64)}` as Digest
const second = `jcs1:sha256:${'b'.repeat(64)}` as Digest

it('salts the digests of a request, of its approvals and of its history in the same way', () => {
  const db = new Database(':memory:')
  for (const step of migrations.slice(0, migrations.indexOf(requestDigests)))
    if (typeof step === 'string') db.exec(step)
    else step(db)
  db.pragma('foreign_keys = OFF')
  const request =
    db.prepare(`INSERT INTO change_request (id, revision, state, title, rationale, author, created_at, updated_at, digest,
    base_generation, prune, proposed_approvals, counts, touches, findings, errors, warnings)
    VALUES (?, 2, 'open', '', '', 'ann', '', '', ?, 1, 0, ?, '{}', '{}', '[]', 0, 0)`)
  request.run('list', second, null)
  request.run('proposal', first, 0)
  const approval = db.prepare(
    `INSERT INTO change_request_approval (request, approver, digest, at, comment) VALUES ('list', ?, ?, '', '')`,
  )
  approval.run('ben', first)
  approval.run('cat', second)
  db.exec(`INSERT INTO change_request_event (request, at, actor, kind, state, digest, text)
    VALUES ('list', '', 'ann', 'created', 'open', '${first}', ''), ('list', '', 'ann', 'edited', 'open', '${second}', '')`)
  requestDigests(db)
  const [list, proposal] = db
    .prepare('SELECT digest, change_digest AS changeDigest, salt FROM change_request ORDER BY id')
    .all() as { digest: string; changeDigest: string; salt: string }[]
  expect(proposal).toEqual({ digest: first, changeDigest: first, salt: '' })
  expect(list!.salt).toMatch(/^[0-9a-f]{64}$/)
  const salted = [first, second].map((each) => saltedDigest(each, list!.salt, sha256))
  expect(list).toMatchObject({ digest: salted[1], changeDigest: second })
  const digests = (table: string): unknown[] =>
    db.prepare(`SELECT digest FROM ${table} ORDER BY rowid`).pluck().all()
  expect(digests('change_request_approval')).toEqual(salted)
  expect(digests('change_request_event')).toEqual(salted)
  db.close()
})
