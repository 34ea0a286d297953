// A file of the previous schema keeps the known writers of drafts and requests, and the creators of invitations.
import Database from 'better-sqlite3'
import { expect, it } from 'vitest'
import { writers } from './012-writers.ts'
import { migrations } from './index.ts'

it('takes writers from authors and items, and creators of invitations from the audit', () => {
  const db = new Database(':memory:')
  for (const step of migrations.slice(0, migrations.indexOf(writers)))
    if (typeof step === 'string') db.exec(step)
    else step(db)
  const draft =
    db.prepare(`INSERT INTO draft (type, key, base_generation, version, updated_at, author, operator, changed_by,
    changed_operator) VALUES ('app', ?, 1, 1, '', ?, ?, ?, ?)`)
  draft.run('a', 'ines', 'ulla', 'jon', null)
  draft.run('b', 'ines', null, 'ines', null)
  draft.run('c', 'ines', null, 'ines', 'ulla')
  const json = JSON.stringify([{ user: 'ines', operator: null }])
  db.pragma('foreign_keys = OFF')
  db.prepare(
    `INSERT INTO change_request_item (request, position, type, key, text, writers) VALUES ('r', 0, 'app', 'a', '{}', ?)`,
  ).run(json)
  db.exec(`INSERT INTO invitation VALUES ('ines', 'h', '2026-01-04');
    INSERT INTO audit (component, kind, at, actor, operator) VALUES
      ('user/ines', 'user.invited', '2025-12-01', 'old', NULL), ('user/ines', 'user.invited', '2026-01-01', 'jon', 'ulla')`)
  db.exec(writers)
  const written = db.prepare('SELECT writers FROM draft ORDER BY key').pluck().all() as string[]
  expect(written.map((each) => JSON.parse(each) as unknown)).toEqual([
    [
      { user: 'ines', operator: 'ulla' },
      { user: 'jon', operator: null },
    ],
    [{ user: 'ines', operator: null }],
    [
      { user: 'ines', operator: null },
      { user: 'ines', operator: 'ulla' },
    ],
  ])
  expect(db.prepare('SELECT * FROM change_request_writer').all()).toEqual([
    { request: 'r', type: 'app', key: 'a', text: '{}', writers: json },
  ])
  expect(db.prepare('SELECT made_by, made_at, operator FROM invitation').all()).toEqual([
    { made_by: 'jon', made_at: '2026-01-01', operator: 'ulla' },
  ])
  db.close()
})
