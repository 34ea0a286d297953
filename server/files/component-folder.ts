// The component files below one folder. Paths come only from the layout, and links below the folder are not followed.
import {
  closeSync,
  constants,
  lstatSync,
  openSync,
  renameSync,
  rmdirSync,
  rmSync,
  writeFileSync,
  type Stats,
} from 'node:fs'
import { randomUUID } from 'node:crypto'
import { dirname, join } from 'node:path'
import type { AlmanacError } from '#kernel/errors/almanac-error.ts'
import { fileError } from './file-error.ts'
import { makeFolder } from './folder.ts'
import { readText } from './read-file.ts'

const createFlags = constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | (constants.O_NOFOLLOW ?? 0)

export class ComponentFolder {
  readonly #dir: string
  /** Folders below it that are known not to be links. */
  readonly #real = new Set<string>()

  /** @throws AlmanacError files.unwritable */
  constructor(dir: string) {
    makeFolder(dir)
    this.#dir = dir
  }

  /** Returns whether the file had to be written. @throws AlmanacError files.unwritable */
  write(path: string, text: string): boolean {
    const full = join(this.#dir, path)
    this.#requireFolders(path, true)
    const stats = statOf(full)
    if (stats !== null && !stats.isFile()) throw notRegular(full)
    if (stats !== null && readText(full, { noFollow: true }) === text) return false
    try {
      if (stats === null) create(full, text)
      else replace(full, text)
    } catch (cause) {
      throw fileError('written', full, cause)
    }
    return true
  }

  /** Returns whether it existed. A folder that is then empty is removed too. @throws AlmanacError files.unwritable */
  remove(path: string): boolean {
    const full = join(this.#dir, path)
    if (!this.#requireFolders(path, false)) return false
    const stats = statOf(full)
    if (stats === null) return false
    if (!stats.isFile()) throw notRegular(full)
    try {
      rmSync(full)
    } catch (cause) {
      throw fileError('removed', full, cause)
    }
    try {
      rmdirSync(dirname(full))
      this.#real.delete(dirname(full))
    } catch {
      // It still contains other files.
    }
    return true
  }

  /** Whether the folders on the way to a file exist, and are not links. */
  #requireFolders(path: string, make: boolean): boolean {
    let folder = this.#dir
    for (const step of path.split('/').slice(0, -1)) {
      folder = join(folder, step)
      if (this.#real.has(folder)) continue
      const stats = statOf(folder)
      if (stats !== null && !stats.isDirectory()) throw notFolder(folder)
      if (stats === null && !make) return false
      if (stats === null) makeFolder(folder)
      this.#real.add(folder)
    }
    return true
  }
}

function create(full: string, text: string): void {
  const file = openSync(full, createFlags, 0o666)
  try {
    writeFileSync(file, text)
  } catch (error) {
    // Half a file would be read as damaged.
    rmSync(full, { force: true })
    throw error
  } finally {
    closeSync(file)
  }
}

function replace(full: string, text: string): void {
  const beside = join(dirname(full), `.almanac-${randomUUID().slice(0, 8)}.tmp`)
  create(beside, text)
  renameSync(beside, full)
}

function statOf(path: string): Stats | null {
  try {
    return lstatSync(path, { throwIfNoEntry: false }) ?? null
  } catch (cause) {
    throw fileError('written', path, cause)
  }
}

function notRegular(path: string): AlmanacError {
  const reason =
    'there is a link, a folder, a pipe or a device at this path. Remove it, then run the command again.'
  return fileError('written', path, reason)
}

function notFolder(path: string): AlmanacError {
  const reason = 'there is a link or a file at this path. Remove it, then run the command again.'
  return fileError('created', path, reason)
}
