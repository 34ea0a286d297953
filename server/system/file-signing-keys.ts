// The org's Ed25519 key, in a file of its folder that only its owner can read.
import { linkSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createSigner, type Signer } from '#kernel/evidence/index.ts'
import type { Randomness } from '../ports/randomness.ts'
import type { StoredSigningKeys } from '../ports/signing-keys.ts'

/**
 * The key in the file: 64 hexadecimal digits, created on first use. Two processes that create it at once agree on one.
 */
export function fileSigningKeys(path: string, random: Randomness): StoredSigningKeys {
  let known: Signer | undefined
  const signer = (): Signer => (known ??= createSigner(Buffer.from(read(path) ?? make(path, random), 'hex')))
  return {
    exists: () => read(path) !== null,
    publicKey: () => signer().publicKey(),
    sign: (message) => signer().sign(message),
  }
}

function make(path: string, random: Randomness): string {
  const aside = `${path}.${process.pid}.new`
  writeFileSync(aside, `${Buffer.from(random.bytes(32)).toString('hex')}\n`, { mode: 0o600, flush: true })
  try {
    linkSync(aside, path)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
  } finally {
    rmSync(aside, { force: true })
  }
  return read(path)!
}

function read(path: string): string | null {
  try {
    return readFileSync(path, 'utf8').trim()
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null
    throw error
  }
}
