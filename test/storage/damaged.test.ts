// A file that is not an org is refused with a clear message and stays unchanged.
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { openSqliteStore } from '../../server/storage/sqlite/index.ts'

let folder: string
beforeEach(() => (folder = mkdtempSync(join(tmpdir(), 'almanac-damaged-'))))
afterEach(() => rmSync(folder, { recursive: true, force: true }))

const cases: [string, (path: string) => void, RegExp][] = [
  ['empty', (path) => writeFileSync(path, ''), /it is empty/],
  [
    'of something else',
    (path) => writeFileSync(path, 'not a database at all, despite its name'.repeat(40)),
    /not a database/,
  ],
  [
    'a database without an org',
    (path) => void new Database(path).exec('CREATE TABLE t (a)').close(),
    /without an org/,
  ],
]
it.each(cases)('a file that is %s is refused', (_, write, words) => {
  const path = join(folder, 'org.sqlite')
  write(path)
  const before = readFileSync(path)
  expect(() => openSqliteStore(path)).toThrow(
    expect.objectContaining({ code: 'org.damaged', message: expect.stringMatching(words) }),
  )
  expect(readFileSync(path).equals(before)).toBe(true)
})
