// A user's discarded drafts, unchanged. They are copied from table to table, so that thousands of texts take no memory.
import { splitId, type ComponentId } from '#kernel/components/component.ts'
import type { DiscardedBatch } from '../../ports/draft-table.ts'
import { all, one, run, type Db } from './db.ts'

const columns =
  'type, key, text, base_digest, base_generation, version, author, changed_by, operator, changed_operator, writers, updated_at, restores'

export function discardedBatch(db: Db, user: string): DiscardedBatch | undefined {
  const batch = one<Omit<DiscardedBatch, 'drafts'>>(
    db,
    'SELECT id, user, at FROM discarded_drafts WHERE user = ?',
    user,
  )
  if (batch === undefined) return undefined
  const drafts = all<DiscardedBatch['drafts'][number]>(
    db,
    `SELECT type || '/' || key AS id, version FROM discarded_draft WHERE user = ? ORDER BY place`,
    user,
  )
  return { ...batch, drafts }
}

export function saveDiscardedDrafts(
  db: Db,
  { id, user, at }: Omit<DiscardedBatch, 'drafts'>,
  ids: readonly ComponentId[],
): void {
  deleteDiscardedDrafts(db, user)
  run(db, 'INSERT INTO discarded_drafts (user, id, at) VALUES (?, ?, ?)', user, id, at)
  for (const each of ids) {
    const { type, key } = splitId(each)
    run(
      db,
      `INSERT INTO discarded_draft (user, ${columns})
       SELECT @user, ${columns} FROM draft WHERE type = @type AND key = @key`,
      { user, type, key },
    )
  }
}

/** Restores one as a draft. */
export function restoreDiscardedDraft(db: Db, user: string, id: ComponentId): void {
  const { type, key } = splitId(id)
  run(
    db,
    `INSERT OR REPLACE INTO draft (${columns})
     SELECT ${columns} FROM discarded_draft WHERE user = @user AND type = @type AND key = @key`,
    { user, type, key },
  )
}

export function deleteDiscardedDrafts(db: Db, user: string): void {
  run(db, 'DELETE FROM discarded_draft WHERE user = ?', user)
  run(db, 'DELETE FROM discarded_drafts WHERE user = ?', user)
}
