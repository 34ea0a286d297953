// Who writes now, for the message to a process that waited in vain. SQLite's own lock decides; this only tells.
import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { AlmanacError } from '#kernel/errors/almanac-error.ts'

export function noteWriter(path: string): void {
  unlessRefused(() => writeFileSync(path, JSON.stringify({ pid: process.pid }), { mode: 0o600 }))
}

export function clearWriter(path: string): void {
  unlessRefused(() => rmSync(path, { force: true }))
}

/** A full disk takes no note. That must neither fail the write nor leave its transaction open. */
function unlessRefused(work: () => void): void {
  try {
    work()
  } catch {
    // The note only serves a message.
  }
}

/** The error for a lock that was not had in time. */
export function busyError(path: string, waitedMs: number, cause: unknown): AlmanacError {
  const pid = readPid(path)
  const who = pid === null ? 'Another process' : `Process ${pid}`
  return new AlmanacError(
    'org.busy',
    `${who} is writing to this org, and did not finish within ${waitedMs / 1000} seconds. Try again when it is done; nothing was written.`,
    { cause, details: pid === null ? [] : [{ pid }] },
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
