// A regular file as bytes or text. A pipe or a device is refused, never waited for.
import { closeSync, constants, fstatSync, openSync, readFileSync } from 'node:fs'
import { fileFault, specialFault } from './file-fault.ts'

export interface ReadOptions {
  /** Refuse a symbolic link instead of reading what it leads to. */
  noFollow?: boolean
}

const nonBlocking = constants.O_RDONLY | (constants.O_NONBLOCK ?? 0)

/** @throws AlmanacError files.invalid */
export function readBytes(path: string, { noFollow = false }: ReadOptions = {}): Buffer {
  let file: number
  try {
    file = openSync(path, nonBlocking | (noFollow ? (constants.O_NOFOLLOW ?? 0) : 0))
  } catch (cause) {
    throw fileFault('read', path, cause)
  }
  try {
    const stat = fstatSync(file)
    if (!stat.isFile() && !stat.isDirectory()) throw specialFault('read', path)
    return readFileSync(file)
  } catch (cause) {
    throw cause instanceof Error && 'syscall' in cause ? fileFault('read', path, cause) : cause
  } finally {
    closeSync(file)
  }
}

/** @throws AlmanacError files.invalid */
export function readText(path: string, options: ReadOptions = {}): string {
  return readBytes(path, options).toString('utf8')
}
