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
import { fileFault, specialFault } from './file-fault.ts'

type Piece = string | Uint8Array

/** @throws AlmanacError files.unwritable */
export function writeWhole(path: string, content: Piece): void {
  const target = openTarget(path)
  try {
    writePiece(target.file, content)
    target.done()
  } catch (cause) {
    target.undo()
    throw fileFault('written', path, cause)
  }
}

/** The same, in pieces that are made as they are written. @throws AlmanacError files.unwritable */
export async function writePieces(
  path: string,
  pieces: Iterable<Piece> | AsyncIterable<Piece>,
): Promise<void> {
  const target = openTarget(path)
  try {
    for await (const piece of pieces) writeOf(path, target.file, piece)
  } catch (cause) {
    target.undo()
    throw cause
  }
  try {
    target.done()
  } catch (cause) {
    target.undo()
    throw fileFault('written', path, cause)
  }
}

function writeOf(path: string, file: number, piece: Piece): void {
  try {
    writePiece(file, piece)
  } catch (cause) {
    throw fileFault('written', path, cause)
  }
}

function writePiece(file: number, piece: Piece): void {
  const bytes = typeof piece === 'string' ? Buffer.from(piece) : piece
  for (let from = 0; from < bytes.length;) from += writeSync(file, bytes, from)
}

interface Target {
  file: number
  done: () => void
  undo: () => void
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
    if (mode === null || (code !== 'EACCES' && code !== 'EPERM')) throw fileFault('written', path, cause)
    return openInPlace(path, place)
  }
  let open = true
  const close = (): void => {
    if (open) closeSync(file)
    open = false
  }
  return {
    file,
    done: () => {
      close()
      if (mode !== null) chmodSync(beside, mode)
      renameSync(beside, place)
    },
    undo: () => {
      close()
      rmSync(beside, { force: true })
    },
  }
}

function openInPlace(path: string, place: string): Target {
  try {
    const file = openSync(place, 'w')
    return { file, done: () => closeSync(file), undo: () => closeSync(file) }
  } catch (cause) {
    throw fileFault('written', path, cause)
  }
}

function placeOf(path: string): string {
  try {
    return lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink() === true ? realpathSync(path) : path
  } catch (cause) {
    throw fileFault('written', path, cause)
  }
}

/** Of the file that is replaced; null for a new file. */
function modeOf(path: string, place: string): number | null {
  try {
    const stat = statSync(place, { throwIfNoEntry: false })
    if (stat === undefined) return null
    if (stat.isDirectory()) throw fileFault('written', path, 'it is a folder. Specify a file.')
    if (!stat.isFile()) throw specialFault('written', path)
    accessSync(place, constants.W_OK)
    return stat.mode & 0o777
  } catch (cause) {
    throw cause instanceof Error && 'syscall' in cause ? fileFault('written', path, cause) : cause
  }
}
