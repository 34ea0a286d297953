// Maps SQLite's failures to errors of the catalogue; every statement and every transaction passes through here.
import Database from 'better-sqlite3'
import { AlmanacError } from '#kernel/errors/almanac-error.ts'
import type { ErrorCode } from '#kernel/errors/catalogue.ts'

interface Failure {
  matches: RegExp
  code: ErrorCode
  message: string
  retryAfter?: number
}

const failures: readonly Failure[] = [
  {
    matches: /^SQLITE_BUSY/,
    code: 'org.busy',
    message:
      'Another process is writing to this org, and did not finish in time. Nothing was written. Try again when it is done.',
    retryAfter: 1,
  },
  {
    matches: /^SQLITE_FULL/,
    code: 'storage.full',
    message: 'The disk of this org is full. Nothing was written. Free some space and try again.',
  },
  {
    matches: /^SQLITE_(READONLY|CANTOPEN|PERM)/,
    code: 'storage.read_only',
    message:
      'The files of this org cannot be written. Nothing was written. Check that the disk is not read-only and that the folder belongs to the user that runs Almanac.',
  },
  {
    matches: /^SQLITE_(CORRUPT|NOTADB)/,
    code: 'storage.damaged',
    message:
      'The database of this org is damaged. Nothing was written. Run "almanac check" for details and restore the folder from a backup.',
  },
  {
    matches: /^SQLITE_(IOERR|PROTOCOL)/,
    code: 'storage.failed',
    message: 'The disk of this org failed. Nothing was written. Check the disk and try again.',
  },
]

/** The error to throw for an error of SQLite or of the file system; any other error is returned unchanged. */
export function storageError(error: unknown): unknown {
  const code = codeOf(error)
  const failure = failures.find(({ matches }) => matches.test(code))
  if (failure === undefined) return error
  const { message, retryAfter } = failure
  return new AlmanacError(failure.code, message, { cause: error, retryAfter })
}

/** Runs `work` and throws its failures as errors of the catalogue. */
export function withStorageErrors<T>(work: () => T): T {
  try {
    return work()
  } catch (error) {
    throw storageError(error)
  }
}

const sqliteCodes: Readonly<Record<string, string>> = {
  ENOSPC: 'SQLITE_FULL',
  EDQUOT: 'SQLITE_FULL',
  EROFS: 'SQLITE_READONLY',
  EIO: 'SQLITE_IOERR',
}

function codeOf(error: unknown): string {
  if (error instanceof Database.SqliteError) return error.code
  const code = (error as NodeJS.ErrnoException | null)?.code
  return (typeof code === 'string' ? sqliteCodes[code] : undefined) ?? ''
}
