// Whether a connection still has the file that others open by its path. A process keeps a removed file open, and what it
// writes there is lost.
import { statSync } from 'node:fs'
import { AlmanacError } from '#kernel/errors/almanac-error.ts'
import type { Db } from './db.ts'

/** Returns a check of the file of a connection that was just opened. */
export function sameFileCheck({ name, memory }: Pick<Db, 'name' | 'memory'>): () => void {
  if (memory) return () => undefined
  const opened = identityOf(name)
  return () => {
    if (identityOf(name) !== opened)
      throw new AlmanacError(
        'storage.damaged',
        `${name} was removed or replaced while Almanac had it open. Nothing was written. Stop Almanac, restore the folder from a backup, and start it again.`,
      )
  }
}

/** Null without a file. */
function identityOf(path: string): string | null {
  const stats = statSync(path, { throwIfNoEntry: false })
  return stats === undefined ? null : `${stats.dev} ${stats.ino} ${stats.size === 0}`
}
