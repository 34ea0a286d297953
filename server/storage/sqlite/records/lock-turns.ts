// Turns for the write lock of the records, among all threads and processes. SQLite keeps no order: a writer that waits looks
// again every 100 ms, and one with the next transaction at hand takes the lock in between, each time. So a writer that has
// to wait marks that in a file, and others let it have the lock before they begin.
import { closeSync, openSync, rmSync, statSync, utimesSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import Database from 'better-sqlite3'
import type { Db } from '../db.ts'

/** How often a writer that waits tries again and renews the mark, and how often others look for the mark, in milliseconds. */
const pollMs = 5

/** A mark that is not renewed for this long was left by a process that ended, in milliseconds. */
const staleMs = 1000

/** How long others leave the lock to those that wait, in milliseconds: on a busy machine, a thread can rest for a while. */
const yieldMs = 500

/** The file that marks that a writer waits for the records, next to the file of a connection. */
export function markOf({ name, memory }: Pick<Db, 'name' | 'memory'>): string | null {
  return memory ? null : join(dirname(name), 'records.sqlite.waiting')
}

/**
 * Begins a transaction that writes to the records, after the writers that wait already. It waits as long as the connection
 * does for a lock.
 * @param begin throws SQLITE_BUSY and changes nothing if a different connection has the lock
 * @throws SqliteError SQLITE_BUSY
 */
export async function beginInTurn(db: Db, begin: () => void): Promise<void> {
  const mark = markOf(db)
  const until = performance.now() + yieldMs
  while (isWanted(mark) && performance.now() < until) await setTimeout(pollMs)
  for (const _ of attempts(db, mark, begin)) await setTimeout(pollMs)
}

/**
 * Locks the records for a connection that must not wait for long, such as that of an apply, which keeps others from
 * writing to the org. The thread is blocked until then.
 * @param lock as `begin` of `beginInTurn`
 * @throws SqliteError SQLITE_BUSY
 */
export function lockInTurn(db: Db, lock: () => void): void {
  for (const _ of attempts(db, markOf(db), lock)) Atomics.wait(sleeper, 0, 0, pollMs)
}

const sleeper = new Int32Array(new SharedArrayBuffer(4))

/** Ends when the lock was obtained, and yields before each further attempt. */
function* attempts(db: Db, mark: string | null, lock: () => void): Generator<undefined, void> {
  const busyMs = db.pragma('busy_timeout', { simple: true }) as number
  const until = performance.now() + busyMs
  let isMarked = false
  try {
    for (;;) {
      try {
        return withoutWaiting(db, busyMs, lock)
      } catch (error) {
        if (!isLocked(error) || performance.now() >= until) throw error
      }
      if (mark !== null) putMark(mark)
      isMarked = true
      yield
    }
  } finally {
    // Others that wait put it back at their next attempt.
    if (isMarked && mark !== null) ignoreErrors(() => rmSync(mark, { force: true }))
  }
}

function withoutWaiting(db: Db, busyMs: number, lock: () => void): void {
  db.exec('PRAGMA busy_timeout = 0')
  try {
    lock()
  } finally {
    db.exec(`PRAGMA busy_timeout = ${busyMs}`)
  }
}

/** Other kinds of SQLITE_BUSY do not end by waiting. */
const isLocked = (error: unknown): boolean =>
  error instanceof Database.SqliteError && error.code === 'SQLITE_BUSY'

function isWanted(mark: string | null): boolean {
  const stats = mark === null ? undefined : statSync(mark, { throwIfNoEntry: false })
  // A clock that was set back must not keep a mark fresh.
  return stats !== undefined && Math.abs(Date.now() - stats.mtimeMs) < staleMs
}

function putMark(mark: string): void {
  const now = new Date()
  try {
    utimesSync(mark, now, now)
  } catch {
    ignoreErrors(() => closeSync(openSync(mark, 'a', 0o600)))
  }
}

/** Without the mark, for example on a full disk, the order is SQLite's. */
function ignoreErrors(work: () => void): void {
  try {
    work()
  } catch {
    // SQLite's lock decides; the mark only gives turns.
  }
}
