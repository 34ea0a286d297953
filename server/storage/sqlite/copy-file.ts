// Copies the files of an org while others read and write them: one consistent state, without uncommitted changes.
import { closeSync, existsSync, openSync } from 'node:fs'
import Database from 'better-sqlite3'
import type { Db } from './db.ts'
import { lockInTurn } from './records/lock-turns.ts'
import { recordsFile } from './records/records-file.ts'
import { storageError } from './storage-error.ts'

/** How long the copy waits for a writer to finish, in milliseconds. */
const busyMs = 60_000

/**
 * Copies the org and, if it has a file of their own, its records. `target` must not exist. The files are not migrated.
 *
 * @throws AlmanacError storage.damaged, storage.full, storage.failed
 */
export async function copySqliteFiles(path: string, target: string): Promise<void> {
  const paths: Copy[] = [[path, target]]
  if (existsSync(recordsFile(path))) paths.push([recordsFile(path), recordsFile(target)])
  await copyAll(paths, (sources) => openSnapshots(path, sources))
}

/** Copies one file. `target` must not exist. @throws AlmanacError as `copySqliteFiles` */
export async function copySqliteFile(path: string, target: string): Promise<void> {
  await copyAll([[path, target]], ([source]) => source!.exec('BEGIN; SELECT 1 FROM sqlite_schema'))
}

type Copy = readonly [path: string, target: string]

async function copyAll(paths: readonly Copy[], open: (sources: readonly Db[]) => void): Promise<void> {
  const sources = paths.map(([source]) => new Database(source, { fileMustExist: true, timeout: busyMs }))
  try {
    open(sources)
    for (const [index, [, to]] of paths.entries()) {
      // SQLite keeps the mode of a file that exists.
      closeSync(openSync(to, 'wx', 0o600))
      // All pages in one step, from the open snapshot.
      await sources[index]!.backup(to, { progress: ({ totalPages }) => totalPages })
    }
  } catch (error) {
    throw storageError(error)
  } finally {
    for (const source of sources) source.close()
  }
}

/** Opens a snapshot of each file while nothing writes to any of them, so that they belong together. */
function openSnapshots(path: string, sources: readonly Db[]): void {
  const locker = new Database(path, { fileMustExist: true, timeout: busyMs })
  try {
    if (sources.length > 1) locker.prepare('ATTACH ? AS records').run(recordsFile(path))
    lockInTurn(locker, () => locker.exec('BEGIN IMMEDIATE'))
    for (const source of sources) source.exec('BEGIN; SELECT 1 FROM sqlite_schema')
  } finally {
    locker.close()
  }
}
