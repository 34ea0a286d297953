// The files of an org belong to one user of the machine: folder 0700, files 0600 (docs/security.md).
import { chmodSync, lstatSync, readdirSync } from 'node:fs'
import { join } from 'node:path'

export interface ExposedFile {
  path: string
  mode: number
  requiredMode: number
}

/** Windows has no mode bits. There, access lists make the folders of a user private. */
export const hasFileModes = process.platform !== 'win32'
const otherUsersMask = 0o077

/** Names of the org's own files and folders. */
const orgFilePattern = /^((org|records|vault)\.sqlite.*|(signing|vault)\.key.*|secrets|backups)$/

/** Runs `work` so that files which it creates are private. A worker thread has the mask of its process. */
export function withPrivateUmask<T>(work: () => T): T {
  let before: number | null = null
  try {
    before = process.umask(otherUsersMask)
  } catch {
    // A worker thread cannot set the mask; files that it creates have explicit modes.
  }
  try {
    return work()
  } finally {
    if (before !== null) process.umask(before)
  }
}

/**
 * Files of an org that other users of the machine can read or change. The folder itself is included only if it contains
 * nothing but the org: a project folder that also contains an org keeps its mode.
 */
export function exposedFiles(dir: string): ExposedFile[] {
  if (!hasFileModes) return []
  const names = readdirSync(dir)
  const files = names
    .filter((name) => orgFilePattern.test(name))
    .flatMap((name) => filesBelow(join(dir, name)))
  const isOwn = names.length > 0 && names.every((name) => orgFilePattern.test(name))
  return [...(isOwn ? [dir] : []), ...files].flatMap(exposureOf)
}

/** Removes the rights of other users. Returns the files that could not be changed. */
export function restrictPermissions(dir: string): ExposedFile[] {
  return exposedFiles(dir).filter((file) => !madePrivate(file))
}

function madePrivate({ path, requiredMode }: ExposedFile): boolean {
  try {
    chmodSync(path, requiredMode)
    return true
  } catch {
    return false
  }
}

function filesBelow(path: string): string[] {
  if (lstatSync(path, { throwIfNoEntry: false })?.isDirectory() !== true) return [path]
  return [path, ...readdirSync(path).flatMap((name) => filesBelow(join(path, name)))]
}

function exposureOf(path: string): ExposedFile[] {
  // A file may disappear after the listing, as a write-ahead log does.
  const stats = lstatSync(path, { throwIfNoEntry: false })
  if (stats === undefined || stats.isSymbolicLink()) return []
  const mode = stats.mode & 0o777
  return (mode & otherUsersMask) === 0
    ? []
    : [{ path, mode, requiredMode: stats.isDirectory() ? 0o700 : 0o600 }]
}
