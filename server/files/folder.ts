// A folder that the user names: created if it is missing, refused with a reason if it cannot contain files.
import { accessSync, constants, lstatSync, mkdirSync, statSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import { fileError } from './file-error.ts'

/** Creates the folder and those on the way to it, with `mode` if given. @throws AlmanacError files.unwritable */
export function makeFolder(path: string, mode?: number): void {
  try {
    const full = resolve(path)
    const missing = missingOf(full)
    const nearest = missing.length === 0 ? full : dirname(missing[0]!)
    if (!statSync(nearest).isDirectory())
      throw fileError('created', path, `${nearest} is not a folder. Choose a different path.`)
    // One by one: creating them all at once never ends in a folder of the system, such as /proc.
    for (const folder of missing) makeOne(folder, mode)
    accessSync(full, constants.W_OK)
  } catch (cause) {
    throw cause instanceof Error && 'syscall' in cause ? fileError('created', path, cause) : cause
  }
}

function makeOne(folder: string, mode: number | undefined): void {
  try {
    mkdirSync(folder, { mode })
  } catch (cause) {
    // Another process created it just now.
    if (!isFolder(folder)) throw cause
  }
}

function isFolder(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() === true
}

/** The missing ones among the folder and those on the way to it, outermost first. */
function missingOf(path: string): string[] {
  const missing: string[] = []
  for (let at = path; !isThere(at) && dirname(at) !== at; at = dirname(at)) missing.unshift(at)
  return missing
}

function isThere(path: string): boolean {
  try {
    return lstatSync(path, { throwIfNoEntry: false }) !== undefined
  } catch (cause) {
    // A file on the way is found further up.
    if ((cause as NodeJS.ErrnoException).code === 'ENOTDIR') return false
    throw cause
  }
}
