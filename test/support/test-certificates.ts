// Certificates for tests, made by openssl: authorities, servers and clients that they certify.
import { execFileSync, spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

export const hasOpenssl = spawnSync('openssl', ['version']).status === 0

export interface TestCertificate {
  certificate: string
  key: string
}

export interface TestAuthority {
  ca: string
  /** @param days a negative number makes one that has expired */
  certify(name: string, options?: { days?: number; passphrase?: string }): TestCertificate
}

export function testAuthority(authorityName: string): TestAuthority {
  const ca = withFolder((run, read) => {
    run(
      'req',
      '-x509',
      ...newKey,
      '-days',
      '30',
      '-subj',
      `/CN=${authorityName}`,
      '-keyout',
      'key',
      '-out',
      'cert',
    )
    return { certificate: read('cert'), key: read('key') }
  })
  return {
    ca: ca.certificate,
    certify: (name, { days = 30, passphrase } = {}) =>
      withFolder((run, read, write) => {
        write('ca', ca.certificate)
        write('ca-key', ca.key)
        write('names', `subjectAltName=DNS:${name}`)
        run('req', ...newKey, '-subj', `/CN=${name}`, '-keyout', 'key', '-out', 'request')
        run(
          'x509',
          '-req',
          '-in',
          'request',
          '-CA',
          'ca',
          '-CAkey',
          'ca-key',
          '-extfile',
          'names',
          '-days',
          String(days),
          '-out',
          'cert',
        )
        if (passphrase !== undefined)
          run('pkcs8', '-topk8', '-in', 'key', '-out', 'sealed', '-passout', `pass:${passphrase}`)
        return { certificate: read('cert'), key: read(passphrase === undefined ? 'key' : 'sealed') }
      }),
  }
}

const newKey = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes']

function withFolder<T>(
  work: (
    run: (...args: string[]) => void,
    read: (file: string) => string,
    write: (file: string, text: string) => void,
  ) => T,
): T {
  const folder = mkdtempSync(join(tmpdir(), 'almanac-certificates-'))
  try {
    return work(
      (...args) => void execFileSync('openssl', args, { cwd: folder, stdio: 'pipe' }),
      (file) => readFileSync(join(folder, file), 'utf8'),
      (file, text) => writeFileSync(join(folder, file), text),
    )
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}
