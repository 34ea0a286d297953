// Self-signed certificates: of the target, and of a client whose key carries the mark.
import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { markedKey } from './marks.ts'

export interface SelfSigned {
  cert: string
  key: string
}

export function selfSigned(name: string, key = markedKey()): SelfSigned {
  const folder = mkdtempSync(join(tmpdir(), 'almanac-certificates-'))
  try {
    writeFileSync(join(folder, 'key'), key)
    const subject = ['-subj', `/CN=${name}`, '-addext', 'subjectAltName=IP:127.0.0.1']
    execFileSync('openssl', ['req', '-x509', '-key', 'key', '-days', '2', ...subject, '-out', 'cert'], {
      ...{ cwd: folder, stdio: 'pipe' },
    })
    return { cert: readFileSync(join(folder, 'cert'), 'utf8'), key }
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}
