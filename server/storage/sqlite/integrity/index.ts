// Everything that the store can verify on its own, in the order of the report.
import { AlmanacError } from '#kernel/errors/almanac-error.ts'
import type { Finding } from '#kernel/errors/finding.ts'
import type { Db } from '../db.ts'
import { storageError } from '../storage-error.ts'
import { auditFaults } from './audit-faults.ts'
import { contentFaults } from './content-faults.ts'
import { fault } from './fault.ts'
import { fileFaults } from './file-faults.ts'
import { generationFaults } from './generation-faults.ts'
import { peopleFaults } from './people-faults.ts'
import { recordFaults } from './record-faults.ts'
import { remoteFaults } from './remote-faults.ts'
import { sealFaults } from './seal-faults.ts'
import { searchFaults } from './search-faults.ts'
import { wordFaults } from './word-faults.ts'

const recordChecks: ReadonlySet<(db: Db) => Finding[]> = new Set([recordFaults, wordFaults])

const checks: readonly ((db: Db) => Finding[])[] = [
  fileFaults,
  sealFaults,
  auditFaults,
  contentFaults,
  generationFaults,
  recordFaults,
  wordFaults,
  remoteFaults,
  peopleFaults,
  searchFaults,
]

export function integrityFaults(db: Db): Finding[] {
  return checks.flatMap((check) => {
    try {
      return check(db)
    } catch (error) {
      return [unreadableFault(error, recordChecks.has(check) ? 'records.sqlite' : 'org.sqlite')]
    }
  })
}

/** Damage that stops a check is itself a finding. */
export function unreadableFault(error: unknown, file = 'org.sqlite'): Finding {
  const found = storageError(error)
  const cause = found instanceof AlmanacError ? found.cause : found
  return fault('integrity.file', file, `The database cannot be read: ${(cause as Error).message}.`)
}
