// Describes a failure of the file system in one sentence: the path, what is wrong with it, and how to fix it.
import { existsSync, lstatSync, statSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import { AlmanacError } from '#kernel/errors/almanac-error.ts'

export type FileAction = 'read' | 'written' | 'removed' | 'created'

const elsewhere = 'Choose a different path.'

/** The reason, by the code of the system error. */
const reasons: Readonly<Record<string, (path: string, action: FileAction) => string>> = {
  ENOENT: (path, action) => (action === 'read' ? 'it does not exist. Check the path.' : noPlace(path)),
  ENOTDIR: (path) => `${blocker(path)} is not a folder. ${elsewhere}`,
  EEXIST: (path) => `${blocker(path)} is not a folder. ${elsewhere}`,
  EISDIR: () => 'it is a folder. Specify a file.',
  EACCES: (path, action) => deniedMessage(path, action),
  EPERM: (path, action) => deniedMessage(path, action),
  EROFS: () => `the file system is read-only. ${elsewhere}`,
  ENOSPC: () => 'the disk is full. Free some space, then run the command again.',
  EDQUOT: () => 'the disk quota is exceeded. Free some space, then run the command again.',
  EFBIG: () => `the file would be larger than the system allows. ${elsewhere}`,
  ENAMETOOLONG: () => `the path is too long. ${elsewhere}`,
  ELOOP: () => 'it is a symbolic link, which is not followed here. Replace it with the file itself.',
  ENXIO: () => special,
  EBUSY: () => 'another program is using it. Close that program, then run the command again.',
  EMFILE: () => 'too many files are open. Close some, then run the command again.',
}

const special = 'it is a pipe, a socket or a device, not a regular file. Specify a file.'

/** @param cause an error of `node:fs`, or the reason itself */
export function fileError(action: FileAction, path: string, cause: unknown): AlmanacError {
  const reason = typeof cause === 'string' ? cause : reasonOf(action, path, cause as NodeJS.ErrnoException)
  const code = action === 'read' ? 'files.invalid' : 'files.unwritable'
  return new AlmanacError(code, `${path} cannot be ${action}: ${reason}`, { cause, details: [{ path }] })
}

export function specialFileError(action: FileAction, path: string): AlmanacError {
  return fileError(action, path, special)
}

/** Whether the operating system refused something, other than a connection. */
export function isFileError(error: unknown): error is NodeJS.ErrnoException & { path?: string } {
  if (!(error instanceof Error) || error instanceof AlmanacError) return false
  const { code, syscall } = error as NodeJS.ErrnoException
  return code !== undefined && syscall !== undefined && Object.hasOwn(reasons, code)
}

function reasonOf(action: FileAction, path: string, { code = '', message }: NodeJS.ErrnoException): string {
  return reasons[code]?.(path, action) ?? `${message}. Check the path and the disk.`
}

function deniedMessage(path: string, action: FileAction): string {
  const what = action === 'read' ? path : nearestFolder(path)
  return `the permissions of ${what} do not allow it. Change them, or choose a different path.`
}

function noPlace(path: string): string {
  if (isLink(path)) return `it is a broken symbolic link. Remove it, or choose a different path.`
  const folder = dirname(resolve(path))
  if (existsSync(folder)) return `${folder} does not accept files. ${elsewhere}`
  // The outermost missing one.
  let missing = folder
  while (!existsSync(dirname(missing))) missing = dirname(missing)
  return `the folder ${missing} does not exist. Create it, or choose a different path.`
}

function isLink(path: string): boolean {
  return lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink() === true
}

function nearestFolder(path: string): string {
  let folder = dirname(resolve(path))
  while (!existsSync(folder) && dirname(folder) !== folder) folder = dirname(folder)
  return folder
}

/** The part of the path that exists and is not a folder. */
function blocker(path: string): string {
  let at = resolve(path)
  while (!isOtherThanFolder(at) && dirname(at) !== at) at = dirname(at)
  return isOtherThanFolder(at) ? at : path
}

function isOtherThanFolder(path: string): boolean {
  try {
    return statSync(path, { throwIfNoEntry: false })?.isDirectory() === false
  } catch {
    return false
  }
}
