// Stores each secret in a file that only its owner can read, in a separate folder: for a machine without a supported
// keychain. A file that others could read is refused, never fixed silently.
import {
  lstatSync,
  mkdirSync,
  openSync,
  closeSync,
  fsyncSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { AlmanacError } from '#kernel/errors/almanac-error.ts'
import type { CustodyStatus } from '#wire/remotes.ts'
import type { SecretCustody } from '../ports/secret-custody.ts'
import { hasFileModes } from './private-files.ts'

const otherUsersMask = 0o077

export function fileCustody(folder: string): SecretCustody {
  const pathOf = (name: string): string => join(folder, `${fileName(name)}.secret`)
  const status = (): CustodyStatus => {
    const reason = reasonAgainst(folder, 'directory')
    return reason === null ? { kind: 'file', kept: true } : { kind: 'file', kept: false, reason }
  }
  const requireFolder = (): void => {
    const found = status()
    if (!found.kept) throw new AlmanacError('secret.custody', found.reason)
  }
  return {
    kind: 'file',
    status: async () => status(),
    put: async (name, secret) => {
      mkdirSync(folder, { recursive: true, mode: 0o700 })
      requireFolder()
      const path = pathOf(name)
      // Written to a temporary file and then renamed, so that a secret is complete or absent.
      const aside = `${path}.${process.pid}.new`
      rmSync(aside, { force: true })
      try {
        writeFileSync(aside, secret, { mode: 0o600, flag: 'wx', flush: true })
        renameSync(aside, path)
      } finally {
        rmSync(aside, { force: true })
      }
      syncFolder(folder)
    },
    get: async (name) => {
      const path = pathOf(name)
      if (lstatSync(path, { throwIfNoEntry: false }) === undefined) return null
      requireFolder()
      const reason = reasonAgainst(path, 'file')
      if (reason !== null) throw new AlmanacError('secret.custody', reason)
      return readFileSync(path, 'utf8')
    },
    delete: async (name) => {
      rmSync(pathOf(name), { force: true })
    },
  }
}

/** Why a file must not be used for a secret; null if nothing is wrong, or it does not exist yet. */
export const reasonAgainstFile = (path: string): string | null => reasonAgainst(path, 'file')

/** A sentence for the user; null if nothing is wrong, or nothing exists yet. */
function reasonAgainst(path: string, kind: 'file' | 'directory'): string | null {
  const stats = lstatSync(path, { throwIfNoEntry: false })
  if (stats === undefined) return null
  const isKind = kind === 'file' ? stats.isFile() : stats.isDirectory()
  if (!isKind)
    return `${path} is not a ${kind === 'file' ? 'regular file' : 'folder'}, so no secret is stored or read there. Remove it.`
  if (!hasFileModes) return null
  const own = process.getuid?.()
  if (own !== undefined && stats.uid !== own)
    return `${path} belongs to another user of this machine, so no secret is stored or read there. Remove it, or change its owner to yourself.`
  const mode = stats.mode & 0o777
  if ((mode & otherUsersMask) === 0) return null
  const wanted = kind === 'file' ? '600' : '700'
  return `${path} can be read or changed by others (mode ${mode.toString(8)}), so no secret is stored or read there. Run "chmod ${wanted} ${path}", and enter the secret again if others may have seen it.`
}

/** `remote/prod` as a file name. */
function fileName(name: string): string {
  return name.replaceAll(/[^A-Za-z0-9_-]/g, (character) => `.${character.codePointAt(0)!.toString(16)}.`)
}

/** Makes what was created or renamed in a folder durable. */
export function syncFolder(folder: string): void {
  if (!hasFileModes) return
  const open = openSync(folder, 'r')
  try {
    fsyncSync(open)
  } finally {
    closeSync(open)
  }
}
