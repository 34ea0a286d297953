// The org's Ed25519 key in a file of its folder that only its owner reads (specification 2.6; completions 3).
import { createPrivateKey, createPublicKey, generateKeyPairSync, sign, type KeyObject } from 'node:crypto'
import { linkSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import type { SigningKeys } from '../ports/signing-keys.ts'

/** The key of the file, which is made at first use: two processes that make it at once agree on one. */
export function fileSigningKeys(path: string): SigningKeys {
  let key: KeyObject | undefined
  const privateKey = (): KeyObject => (key ??= createPrivateKey(readOrMake(path)))
  return {
    publicKey: () => {
      const { x } = createPublicKey(privateKey()).export({ format: 'jwk' })
      return new Uint8Array(Buffer.from(x!, 'base64url'))
    },
    sign: (message) => new Uint8Array(sign(null, message, privateKey())),
  }
}

function readOrMake(path: string): string {
  const known = read(path)
  if (known !== null) return known
  const { privateKey } = generateKeyPairSync('ed25519')
  const aside = `${path}.${process.pid}.new`
  writeFileSync(aside, privateKey.export({ format: 'pem', type: 'pkcs8' }), { mode: 0o600, flush: true })
  try {
    linkSync(aside, path)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
  } finally {
    rmSync(aside, { force: true })
  }
  return readFileSync(path, 'utf8')
}

function read(path: string): string | null {
  try {
    return readFileSync(path, 'utf8')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null
    throw error
  }
}
