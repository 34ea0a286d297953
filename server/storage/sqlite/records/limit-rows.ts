// What all processes know together of each named credential: see `CalloutLimits`.
import type { OutboxTransactor, StoredLimit } from '../../../ports/outbox.ts'
import { all, one, run, type Db } from '../db.ts'

export function limitStatements(db: Db): Pick<OutboxTransactor, 'limit' | 'limits' | 'swapLimit'> {
  return {
    limit: async ({ kind, credential }) =>
      one<StoredLimit>(
        db,
        'SELECT version, text FROM record_limit WHERE credential = @credential AND kind = @kind',
        { kind, credential },
      ) ?? { version: 0, text: null },
    limits: async (kind) =>
      all<{ credential: string; text: string }>(
        db,
        'SELECT credential, text FROM record_limit WHERE kind = ? ORDER BY credential',
        kind,
      ),
    swapLimit: async ({ kind, credential }, version, text) => {
      const row = { kind, credential, version, text }
      const sql =
        version === 0
          ? `INSERT OR IGNORE INTO record_limit (kind, credential, version, text)
             VALUES (@kind, @credential, @version + 1, @text)`
          : `UPDATE record_limit SET version = version + 1, text = @text
             WHERE credential = @credential AND kind = @kind AND version = @version`
      return run(db, sql, row) === 1
    },
  }
}
