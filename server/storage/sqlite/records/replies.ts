// Replies to requests with an idempotency key, so that a repeated request is answered and not run again.
import type { KeptReply } from '../../../ports/record-store.ts'
import { one, run, type Db } from '../db.ts'
import { rowDigest } from './row-digest.ts'

export type ReplyRow = KeptReply

export function replyOf(db: Db, caller: string, key: string): KeptReply | undefined {
  const sql = 'SELECT caller, key, request, at, reply FROM record_reply WHERE caller = ? AND key = ?'
  return one<KeptReply>(db, sql, caller, key)
}

/** @param since older replies are deleted */
export function keepReply(db: Db, reply: KeptReply, since: string): void {
  run(db, 'DELETE FROM record_reply WHERE at < ?', since)
  run(
    db,
    `INSERT OR REPLACE INTO record_reply (caller, key, request, at, reply, digest)
     VALUES (@caller, @key, @request, @at, @reply, @digest)`,
    { ...reply, digest: replyDigest(reply) },
  )
}

export function replyDigest({ caller, key, request, at, reply }: ReplyRow): string {
  return rowDigest(caller, key, request, at, reply)
}
