// Replaces a file that the user names, completely or not at all: it is written to a temporary file, then renamed.
import {
  accessSync,
  chmodSync,
  closeSync,
  constants,
  lstatSync,
  openSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  writeSync,
} from 'node:fs'
import { randomUUID } from 'node:crypto'
import { dirname, join } from 'node:path'
import { fileError, specialFileError } from './file-error.ts'

type Chunk = string | Uint8Array

/** @throws AlmanacError files.unwritable */
export function writeFileAtomic(path: string, content: Chunk): void {
  const target = openTarget(path)
  try {
    writeChunk(target.file, content)
    target.commit()
  } catch (cause) {
    target.discard()
    throw fileError('written', path, cause)
  }
}

/** The same, in pieces that are created as they are written. @throws AlmanacError files.unwritable */
export async function writeChunks(
  path: string,
  pieces: Iterable<Chunk> | AsyncIterable<Chunk>,
): Promise<void> {
  const target = openTarget(path)
  try {
    for await (const piece of pieces) writeOf(path, target.file, piece)
  } catch (cause) {
    target.discard()
    throw cause
  }
  try {
    target.commit()
  } catch (cause) {
    target.discard()
    throw fileError('written', path, cause)
  }
}

function writeOf(path: string, file: number, piece: Chunk): void {
  try {
    writeChunk(file, piece)
  } catch (cause) {
    throw fileError('written', path, cause)
  }
}

function writeChunk(file: number, piece: Chunk): void {
  const bytes = typeof piece === 'string' ? Buffer.from(piece) : piece
  for (let from = 0; from < bytes.length;) from += writeSync(file, bytes, from)
}

interface Target {
  file: number
  commit: () => void
  discard: () => void
}

/** A link of the user is followed; a folder, a pipe or a device is refused before anything is opened. */
function openTarget(path: string): Target {
  const place = placeOf(path)
  const mode = modeOf(path, place)
  const beside = join(dirname(place), `.almanac-${randomUUID().slice(0, 8)}.tmp`)
  let file: number
  try {
    file = openSync(beside, 'wx')
  } catch (cause) {
    const { code } = cause as NodeJS.ErrnoException
    // The file itself may be writable in a folder that is not.
    if (mode === null || (code !== 'EACCES' && code !== 'EPERM')) throw fileError('written', path, cause)
    return openInPlace(path, place)
  }
  let open = true
  const close = (): void => {
    if (open) closeSync(file)
    open = false
  }
  return {
    file,
    commit: () => {
      close()
      if (mode !== null) chmodSync(beside, mode)
      renameSync(beside, place)
    },
    discard: () => {
      close()
      rmSync(beside, { force: true })
    },
  }
}

function openInPlace(path: string, place: string): Target {
  try {
    const file = openSync(place, 'w')
    return { file, commit: () => closeSync(file), discard: () => closeSync(file) }
  } catch (cause) {
    throw fileError('written', path, cause)
  }
}

function placeOf(path: string): string {
  try {
    return lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink() === true ? realpathSync(path) : path
  } catch (cause) {
    throw fileError('written', path, cause)
  }
}

/** The mode of the file that is replaced; null for a new file. */
function modeOf(path: string, place: string): number | null {
  try {
    const stat = statSync(place, { throwIfNoEntry: false })
    if (stat === undefined) return null
    if (stat.isDirectory()) throw fileError('written', path, 'it is a folder. Specify a file.')
    if (!stat.isFile()) throw specialFileError('written', path)
    accessSync(place, constants.W_OK)
    return stat.mode & 0o777
  } catch (cause) {
    throw cause instanceof Error && 'syscall' in cause ? fileError('written', path, cause) : cause
  }
}
