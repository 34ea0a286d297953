// Key services of this machine: a key that the parent process took from the keychain, or a file that only its owner can
// read.
import { linkSync, lstatSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { basename, dirname } from 'node:path'
import { AlmanacError } from '#kernel/errors/almanac-error.ts'
import type { KeyService } from '../ports/key-service.ts'
import type { Randomness } from '../ports/randomness.ts'
import { reasonAgainstFile, syncFolder } from './file-custody.ts'
import { decryptBound, encryptBound } from './bound-encryption.ts'

const keyBytes = 32

/** @param key 32 bytes in base64, which the keychain has opened */
export function keychainKeyService(key: string, random: Randomness): KeyService {
  const bytes = Buffer.from(key, 'base64')
  if (bytes.length !== keyBytes)
    throw new AlmanacError('vault.key', 'The keychain did not return a key of 32 bytes.')
  const keys = { toWrap: () => bytes, toUnwrap: () => [bytes] }
  return serviceOver('keychain', 'the keychain of this user', keys, random)
}

/**
 * The key in the file: 64 hexadecimal digits, created on first use. Two processes that create it at once agree on one.
 * While it is replaced, and after a crash in the middle of that, the next one is in a file beside it.
 */
export function fileKeyService(path: string, random: Randomness): KeyService {
  const next = nextKeyFile(path)
  return {
    ...serviceOver(
      'file',
      // The folder of the org is not shown to those who see the name.
      basename(path),
      {
        toWrap: () => readKey(next) ?? readKey(path) ?? makeKey(path, random),
        toUnwrap: () => {
          // In this order, because the next one can take its place in between.
          const keys = [readKey(next), readKey(path)].filter((key) => key !== null)
          return keys.length > 0 ? keys : absentKey(path)
        },
      },
      random,
    ),
    replaceKey: async (rewrap) => {
      const key = readKey(next) ?? makeKey(next, random)
      await rewrap()
      // Unless a different process has finished with this key, and perhaps begun with another one.
      if (readKey(next)?.equals(key) === true) {
        renameSync(next, path)
        syncFolder(dirname(path))
      }
    },
  }
}

/** Where the next key is until it takes the place of the one in `path`. */
const nextKeyFile = (path: string): string => `${path}.next`

interface Keys {
  toWrap(): Buffer
  /** Those of which one has wrapped a data key. */
  toUnwrap(): readonly Buffer[]
}

function serviceOver(kind: string, name: string, keys: Keys, random: Randomness): KeyService {
  return {
    kind,
    name,
    wrap: async (dataKey, context) => encryptBound(keys.toWrap(), dataKey, context, random),
    unwrap: async (wrapped, context) => {
      for (const key of keys.toUnwrap()) {
        const dataKey = decryptBound(key, wrapped, context)
        if (dataKey !== null) return dataKey
      }
      throw new AlmanacError('vault.key', 'It is a different key, or the stored data key was altered.')
    },
  }
}

function readKey(path: string): Buffer | null {
  if (lstatSync(path, { throwIfNoEntry: false }) === undefined) return null
  const reason = reasonAgainstFile(path)
  if (reason !== null) throw new AlmanacError('vault.key', reason.replaceAll(path, basename(path)))
  const text = readFileSync(path, 'utf8').trim()
  if (!/^[0-9a-f]{64}$/.test(text))
    throw new AlmanacError('vault.key', `${basename(path)} does not contain a key of 64 hexadecimal digits.`)
  return Buffer.from(text, 'hex')
}

function absentKey(path: string): never {
  throw new AlmanacError('vault.key', `The file ${basename(path)} does not exist in the folder of the org.`)
}

function makeKey(path: string, random: Randomness): Buffer {
  const aside = `${path}.${process.pid}.new`
  writeFileSync(aside, `${Buffer.from(random.bytes(keyBytes)).toString('hex')}\n`, {
    mode: 0o600,
    flush: true,
  })
  try {
    linkSync(aside, path)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
  } finally {
    rmSync(aside, { force: true })
  }
  return readKey(path)!
}
