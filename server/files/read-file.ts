// Reads a regular file as bytes or text. A pipe or a device is refused, never waited for.
import { closeSync, constants, fstatSync, openSync, readFileSync, readSync } from 'node:fs'
import { fileError, specialFileError } from './file-error.ts'

export interface ReadOptions {
  /** Refuses a symbolic link instead of reading its target. */
  noFollow?: boolean
}

const nonBlocking = constants.O_RDONLY | (constants.O_NONBLOCK ?? 0)

/** @throws AlmanacError files.invalid */
export function readBytes(path: string, { noFollow = false }: ReadOptions = {}): Buffer {
  let file: number
  try {
    file = openSync(path, nonBlocking | (noFollow ? (constants.O_NOFOLLOW ?? 0) : 0))
  } catch (cause) {
    throw fileError('read', path, cause)
  }
  try {
    const stat = fstatSync(file)
    if (!stat.isFile() && !stat.isDirectory()) throw specialFileError('read', path)
    return stat.size > 0 ? readOpen(file, stat.size) : readFileSync(file)
  } catch (cause) {
    throw cause instanceof Error && 'syscall' in cause ? fileError('read', path, cause) : cause
  } finally {
    closeSync(file)
  }
}

/**
 * The text of a regular file that its folder lists as one, without a link, in one call, because an org can have a hundred
 * thousand files. Null if there is something to report about it: it cannot be read, or is not plain UTF-8.
 */
export function plainText(path: string): string | null {
  try {
    const flag = nonBlocking | (constants.O_NOFOLLOW ?? 0)
    const text = readFileSync(path, { encoding: 'utf8', flag: flag as unknown as string })
    // What is not UTF-8 is replaced by U+FFFD.
    return text.startsWith('\ufeff') || text.includes('\ufffd') ? null : text
  } catch {
    return null
  }
}

/** One call per file if it does not grow in the meantime: an org can have a hundred thousand files. */
function readOpen(file: number, size: number): Buffer {
  const bytes = Buffer.allocUnsafe(size)
  let at = 0
  while (at < size) {
    const read = readSync(file, bytes, at, size - at, null)
    if (read === 0) break
    at += read
  }
  return at === size ? bytes : bytes.subarray(0, at)
}

/** @throws AlmanacError files.invalid */
export function readText(path: string, options: ReadOptions = {}): string {
  return readBytes(path, options).toString('utf8')
}
