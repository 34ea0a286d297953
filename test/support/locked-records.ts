// A second process that holds the write lock of the records of an org.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { resolve } from 'node:path'
import { orgFile } from '../../server/compose/org-folder.ts'
import { recordsFile } from '../../server/storage/sqlite/records/records-file.ts'

const holder = `
  const db = new (require('better-sqlite3'))(process.argv[1])
  db.exec('BEGIN IMMEDIATE')
  process.stdout.write('locked')
  process.stdin.on('end', () => process.exit()).resume()
  if (process.argv[2] !== '') setTimeout(() => process.exit(), Number(process.argv[2]))
`

/**
 * Returns the function that releases the lock.
 * @param dir the folder of the org
 * @param ms after which it is released otherwise: what waits for it can block this process
 */
export async function lockRecords(dir: string, ms?: number): Promise<() => Promise<void>> {
  const child = spawn(process.execPath, ['-e', holder, recordsFile(orgFile(dir)), String(ms ?? '')], {
    cwd: resolve(import.meta.dirname, '../..'),
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  const closed = once(child, 'close')
  await Promise.race([once(child.stdout, 'data'), closed])
  if (child.exitCode !== null) throw new Error('The records could not be locked.')
  return async () => {
    child.stdin.end()
    await closed
  }
}
