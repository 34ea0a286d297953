// Looks for a mark in bytes and files, in each of its forms.
import { closeSync, openSync, readdirSync, readSync } from 'node:fs'
import { join, relative } from 'node:path'
import type { Needle } from './marks.ts'

export interface Found {
  place: string
  form: string
  /** What is around it. */
  context: string
}

export function findIn(bytes: Buffer, place: string, needles: readonly Needle[]): Found[] {
  return needles.flatMap(({ form, bytes: needle }) => {
    const at = bytes.indexOf(needle)
    if (at === -1) return []
    const context = bytes.subarray(Math.max(0, at - 80), at + 120).toString('latin1')
    return [{ place, form, context: context.replaceAll(/[^\x20-\x7e]/g, '.') }]
  })
}

const pieceBytes = 16 * 1024 * 1024
const overlap = 4096

export function findInFile(path: string, place: string, needles: readonly Needle[]): Found[] {
  const file = openSync(path, 'r')
  const piece = Buffer.allocUnsafe(pieceBytes)
  const found: Found[] = []
  try {
    for (let kept = 0; ;) {
      const read = readSync(file, piece, kept, pieceBytes - kept, null)
      const end = kept + read
      const known = new Set(found.map(({ form }) => form))
      found.push(
        ...findIn(
          piece.subarray(0, end),
          place,
          needles.filter(({ form }) => !known.has(form)),
        ),
      )
      if (read === 0) return found
      kept = Math.min(overlap, end)
      piece.copyWithin(0, end - kept, end)
    }
  } finally {
    closeSync(file)
  }
}

/** Contents and names of all files of a folder. */
export function findInFolder(folder: string, needles: readonly Needle[]): Found[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true }).flatMap((each) => {
    const path = join(each.parentPath, each.name)
    const place = relative(folder, path)
    const named = findIn(Buffer.from(each.name), `the name ${place}`, needles)
    return each.isFile() ? [...named, ...findInFile(path, place, needles)] : named
  })
}
