// Notes the current writer, for the message to a process whose wait timed out. SQLite's own lock decides; this only
// informs.
import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { AlmanacError } from '#kernel/errors/almanac-error.ts'

export function noteWriter(path: string): void {
  ignoreErrors(() => writeFileSync(path, JSON.stringify({ pid: process.pid }), { mode: 0o600 }))
}

export function clearWriter(path: string): void {
  ignoreErrors(() => rmSync(path, { force: true }))
}

/** The note fails on a full disk. That must neither fail the write nor leave its transaction open. */
function ignoreErrors(work: () => void): void {
  try {
    work()
  } catch {
    // The note is only used in a message.
  }
}

/** The error for a lock that was not obtained in time. */
export function busyError(path: string, waitedMs: number, cause: unknown): AlmanacError {
  const pid = readPid(path)
  const who = pid === null ? 'Another process' : `Process ${pid}`
  return new AlmanacError(
    'org.busy',
    `${who} is writing to this org, and did not finish within ${waitedMs / 1000} seconds. Nothing was written. Try again when it is done.`,
    { cause, details: pid === null ? [] : [{ pid }], retryAfter: 1 },
  )
}

function readPid(path: string): number | null {
  try {
    const { pid } = JSON.parse(readFileSync(path, 'utf8')) as { pid?: unknown }
    return typeof pid === 'number' ? pid : null
  } catch {
    return null
  }
}
