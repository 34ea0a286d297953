// Any error, at any point: no transaction is open afterwards, and none of it is stored.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import { afterEach, beforeEach, expect, it } from 'vitest'
import type { Db } from './db.ts'
import { transaction } from './transaction.ts'

let dir: string
let db: Db
let other: Db
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'almanac-transaction-'))
  const open = (): Db => {
    const opened = new Database(join(dir, 'a.sqlite'), { timeout: 0 })
    opened.pragma('journal_mode = WAL')
    opened.pragma('foreign_keys = ON')
    return opened
  }
  db = open()
  db.exec(`CREATE TABLE set_ (key TEXT PRIMARY KEY);
    CREATE TABLE entry (of_set TEXT REFERENCES set_ (key) DEFERRABLE INITIALLY DEFERRED)`)
  other = open()
})
afterEach(() => {
  db.close()
  other.close()
  rmSync(dir, { recursive: true, force: true })
})

const insert = (on: Db, key: string): void => void on.prepare('INSERT INTO set_ VALUES (?)').run(key)
const rows = (): number =>
  other.prepare('SELECT (SELECT count(*) FROM set_) + count(*) FROM entry').pluck().get() as number

const failures: [string, 'BEGIN' | 'BEGIN IMMEDIATE', () => void][] = [
  [
    'the work throws',
    'BEGIN IMMEDIATE',
    () => {
      insert(db, 'a')
      throw new Error('The work failed.')
    },
  ],
  [
    'a statement is refused',
    'BEGIN IMMEDIATE',
    () => {
      insert(db, 'a')
      insert(db, 'a')
    },
  ],
  ['the commit is refused', 'BEGIN IMMEDIATE', () => void db.exec("INSERT INTO entry VALUES ('absent')")],
  [
    'a read throws',
    'BEGIN',
    () => {
      db.prepare('SELECT count(*) FROM set_').get()
      throw new Error('The read failed.')
    },
  ],
]

it.each(failures)('a transaction is rolled back if %s', (_, begin, work) => {
  expect(() => transaction(db, begin, work)).toThrow()
  expect(db.inTransaction).toBe(false)
  expect(rows()).toBe(0)
  // Another connection and the next transaction of this one do not wait for it.
  transaction(other, 'BEGIN IMMEDIATE', () => insert(other, 'b'))
  transaction(db, 'BEGIN IMMEDIATE', () => insert(db, 'c'))
  expect(rows()).toBe(2)
})

it('a transaction that cannot begin leaves nothing open', () => {
  other.exec('BEGIN IMMEDIATE')
  expect(() => transaction(db, 'BEGIN IMMEDIATE', () => insert(db, 'a'))).toThrow()
  expect(db.inTransaction).toBe(false)
  other.exec('ROLLBACK')
  transaction(db, 'BEGIN IMMEDIATE', () => insert(db, 'a'))
  expect(rows()).toBe(1)
})
