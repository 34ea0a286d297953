// Each discarded draft is a separate row: thousands of texts in one JSON took several times their size in memory.
import { splitId, type ComponentId } from '#kernel/components/component.ts'
import type { Db } from '../db.ts'

export function discardedDrafts(db: Db): void {
  db.exec(`CREATE TABLE discarded_draft (
  place INTEGER PRIMARY KEY, user TEXT NOT NULL, type TEXT NOT NULL, key TEXT NOT NULL, text TEXT,
  base_digest TEXT, base_generation INTEGER NOT NULL, version INTEGER NOT NULL, author TEXT NOT NULL,
  changed_by TEXT NOT NULL, operator TEXT, changed_operator TEXT, updated_at TEXT NOT NULL,
  UNIQUE (user, type, key)
) STRICT`)
  const insert =
    db.prepare(`INSERT INTO discarded_draft (user, type, key, text, base_digest, base_generation, version,
    author, changed_by, operator, changed_operator, updated_at)
    VALUES (@user, @type, @key, @text, @baseDigest, @baseGeneration, @version,
    @author, @changedBy, @operator, @changedOperator, @updatedAt)`)
  const batches = db.prepare('SELECT user, json FROM discarded_drafts').all() as Batch[]
  for (const { user, json } of batches)
    for (const { id, ...row } of JSON.parse(json) as Row[])
      insert.run({ operator: null, changedOperator: null, ...row, ...splitId(id), user })
  db.exec('ALTER TABLE discarded_drafts DROP COLUMN json')
}

interface Batch {
  user: string
  json: string
}

/** A draft as it was stored. */
interface Row {
  id: ComponentId
}
