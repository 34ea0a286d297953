// Certificates for tests of TLS, made with openssl: an authority, a server for 127.0.0.1, and clients.
import { execFileSync, spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

export const hasOpenssl = spawnSync('openssl', ['version']).status === 0

interface Certificate {
  cert: string
  key: string
}

export interface Certificates {
  authority: string
  server: Certificate
  client: Certificate
  /** The key of `client`, encrypted with `passphrase`. */
  encryptedKey: string
  passphrase: string
  /** Signed by an authority that nobody trusts. */
  stranger: Certificate
}

export function makeCertificates(): Certificates {
  const dir = mkdtempSync(join(tmpdir(), 'almanac-certificates-'))
  const openssl = (...args: string[]) => execFileSync('openssl', args, { cwd: dir, stdio: 'ignore' })
  const read = (name: string) => readFileSync(join(dir, name), 'utf8')
  const authority = (name: string) => {
    const made = ['req', '-x509', '-newkey', 'rsa:2048', '-nodes', '-days', '1', '-subj', `/CN=${name}`]
    openssl(...made, '-keyout', `${name}.key`, '-out', `${name}.pem`)
  }
  const issue = (name: string, by: string, ...subject: string[]): Certificate => {
    openssl(
      'req',
      '-newkey',
      'rsa:2048',
      '-nodes',
      ...subject,
      '-keyout',
      `${name}.key`,
      '-out',
      `${name}.csr`,
    )
    const signing = ['x509', '-req', '-days', '1', '-in', `${name}.csr`, '-CA', `${by}.pem`]
    openssl(...signing, '-CAkey', `${by}.key`, '-CAcreateserial', '-extfile', 'names', '-out', `${name}.pem`)
    return { cert: read(`${name}.pem`), key: read(`${name}.key`) }
  }
  try {
    writeFileSync(join(dir, 'names'), 'subjectAltName=IP:127.0.0.1')
    authority('authority')
    authority('stranger')
    const server = issue('server', 'authority', '-subj', '/CN=127.0.0.1')
    const client = issue('client', 'authority', '-subj', '/CN=almanac')
    const passphrase = 'open sesame'
    const encrypting = ['pkcs8', '-topk8', '-in', 'client.key', '-passout', `pass:${passphrase}`]
    openssl(...encrypting, '-out', 'encrypted.key')
    return {
      authority: read('authority.pem'),
      server,
      client,
      encryptedKey: read('encrypted.key'),
      passphrase,
      stranger: issue('other', 'stranger', '-subj', '/CN=other'),
    }
  } finally {
    rmSync(dir, { recursive: true, force: true })
  }
}
