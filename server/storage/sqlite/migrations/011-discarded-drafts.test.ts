// Drafts that were discarded before an update can be restored after it.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import { expect, it } from 'vitest'
import { initOrg } from '../../../compose/open-org.ts'
import { discardedBatch, restoreDiscardedDraft } from '../discarded-drafts.ts'
import { draft } from '../drafts.ts'
import { discardedDrafts } from './011-discarded-drafts.ts'
import { writersColumn } from './012-writers.ts'

const writer = (user: string, operator: string | null) => ({ user, operator })

it('creates a row for each discarded draft', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'almanac-discarded-'))
  try {
    await initOrg(folder, { name: 'T', environment: 'dev' }).close()
    const db = new Database(join(folder, 'org.sqlite'))
    db.exec(`DROP TABLE discarded_draft; DROP TABLE discarded_drafts; CREATE TABLE discarded_drafts (
      user TEXT NOT NULL PRIMARY KEY, id TEXT NOT NULL, at TEXT NOT NULL, json TEXT NOT NULL) STRICT`)
    const row = {
      ...{ text: '{ "half \u{1f600}', baseDigest: null, baseGeneration: 3, version: 2, author: 'mara' },
      ...{ changedBy: 'admin', updatedAt: '2026-01-01T00:00:00.000Z' },
    }
    const rows = [
      { id: 'config_entry/vat.de', ...row, operator: 'm', changedOperator: 'a' },
      { id: 'app/billing', ...row, text: null, baseDigest: 'jcs1:sha256:00' },
    ] as const
    const at = '2026-01-02T00:00:00.000Z'
    db.prepare('INSERT INTO discarded_drafts VALUES (?, ?, ?, ?)').run(
      'admin',
      'd1',
      at,
      JSON.stringify(rows),
    )
    discardedDrafts(db)
    db.exec(writersColumn('discarded_draft'))
    db.exec('ALTER TABLE discarded_draft ADD COLUMN restores TEXT')
    expect(discardedBatch(db, 'admin')).toEqual({
      ...{ id: 'd1', user: 'admin', at },
      drafts: rows.map(({ id, version }) => ({ id, version })),
    })
    for (const { id } of rows) restoreDiscardedDraft(db, 'admin', id)
    const writers = [
      [writer('mara', 'm'), writer('admin', 'a')],
      [writer('mara', null), writer('admin', null)],
    ]
    expect(rows.map(({ id }) => draft(db, id))).toEqual(
      rows.map((each, at) => ({ ...each, writers: writers[at] })),
    )
    db.close()
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
})
