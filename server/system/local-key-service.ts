// Key services of this machine: a key that the parent process took from the keychain, or a file that only its owner can
// read.
import { linkSync, lstatSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { basename } from 'node:path'
import { AlmanacError } from '#kernel/errors/almanac-error.ts'
import type { KeyService } from '../ports/key-service.ts'
import type { Randomness } from '../ports/randomness.ts'
import { reasonAgainstFile } from './file-custody.ts'
import { decryptBound, encryptBound } from './bound-encryption.ts'

const keyBytes = 32

/** @param key 32 bytes in base64, which the keychain has opened */
export function keychainKeyService(key: string, random: Randomness): KeyService {
  const bytes = Buffer.from(key, 'base64')
  if (bytes.length !== keyBytes)
    throw new AlmanacError('vault.key', 'The keychain did not return a key of 32 bytes.')
  return serviceOver('keychain', 'the keychain of this user', () => bytes, random)
}

/** The key in the file: 64 hexadecimal digits, created on first use. Two processes that create it at once agree on one. */
export function fileKeyService(path: string, random: Randomness): KeyService {
  // The folder of the org is not shown to those who see the name.
  return serviceOver(
    'file',
    basename(path),
    (mayMake) => readKey(path) ?? (mayMake ? makeKey(path, random) : absentKey(path)),
    random,
  )
}

function serviceOver(
  kind: string,
  name: string,
  keyOf: (mayMake: boolean) => Buffer,
  random: Randomness,
): KeyService {
  return {
    kind,
    name,
    wrap: async (dataKey, context) => encryptBound(keyOf(true), dataKey, context, random),
    unwrap: async (wrapped, context) => {
      const dataKey = decryptBound(keyOf(false), wrapped, context)
      if (dataKey !== null) return dataKey
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
