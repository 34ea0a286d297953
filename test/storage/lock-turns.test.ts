// Writers that wait for the records: those that come next let them have the lock first, and a mark that a process left when
// it ended delays nobody for long.
import { existsSync, mkdtempSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import Database from 'better-sqlite3'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { beginInTurn, lockInTurn, markOf } from '../../server/storage/sqlite/records/lock-turns.ts'
import type { Db } from '../../server/storage/sqlite/db.ts'

let folder: string
let mark: string
const opened: Db[] = []

function connect(timeout = 5000): Db {
  const db = new Database(join(folder, 'records.sqlite'), { timeout })
  db.pragma('journal_mode = WAL')
  opened.push(db)
  return db
}
const begin = (db: Db): Promise<void> => beginInTurn(db, () => db.exec('BEGIN IMMEDIATE'))
async function timeOf(work: () => Promise<void>): Promise<number> {
  const start = performance.now()
  await work()
  return performance.now() - start
}

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'almanac-turns-'))
  mark = markOf(connect())!
})
afterEach(() => {
  for (const db of opened.splice(0)) db.close()
  rmSync(folder, { recursive: true, force: true })
})

describe('a writer that waits for the records', () => {
  it('has the lock after the transaction that is running, although the next one is at hand', async () => {
    const [hog, other, third] = [connect(), connect(), connect()]
    let runs = true
    let transactions = 0
    const all = (async () => {
      while (runs) {
        await begin(hog)
        await setTimeout(60)
        hog.exec('COMMIT')
        transactions += 1
      }
    })()
    await setTimeout(30)
    const once = async (db: Db): Promise<number> => {
      await begin(db)
      db.exec('COMMIT')
      return transactions
    }
    const [first, second] = await Promise.all([once(other), once(third)])
    expect(first).toBe(1)
    expect(second).toBeLessThanOrEqual(2)
    runs = false
    await all
    expect(existsSync(mark)).toBe(false)
  })

  it('fails after the time that the connection waits, and leaves no mark', async () => {
    const [holder, db] = [connect(), connect(100)]
    holder.exec('BEGIN IMMEDIATE')
    const busy = expect.objectContaining({ code: 'SQLITE_BUSY' }) as Error
    await expect(begin(db)).rejects.toEqual(busy)
    db.exec('BEGIN')
    expect(() => lockInTurn(db, () => db.exec('CREATE TABLE entry (id)'))).toThrow(busy)
    expect(existsSync(mark)).toBe(false)
    expect(db.pragma('busy_timeout', { simple: true })).toBe(100)
    // The transaction goes on, with the lock once it is free.
    holder.exec('COMMIT')
    lockInTurn(db, () => db.exec('CREATE TABLE entry (id)'))
    expect(() => connect(0).exec('BEGIN IMMEDIATE')).toThrow(busy)
  })
})

describe('a mark that a process left when it ended', () => {
  it('delays a transaction by half a second at most, and none after a second', async () => {
    writeFileSync(mark, '')
    const db = connect()
    expect(await timeOf(() => begin(db))).toBeGreaterThan(400)
    db.exec('COMMIT')
    await setTimeout(600)
    expect(await timeOf(() => begin(db))).toBeLessThan(300)
  })

  it.each([
    ['before the clock was set forward', -3600],
    ['before the clock was set back', 3600],
  ])('%s delays none', async (_when, seconds) => {
    writeFileSync(mark, '')
    const at = new Date(Date.now() + seconds * 1000)
    utimesSync(mark, at, at)
    const db = connect()
    expect(await timeOf(() => begin(db))).toBeLessThan(300)
  })
})
