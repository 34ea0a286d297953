// What is acknowledged is on disk: there is an fsync of the log between its last write and the acknowledgement.
import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { childFile } from './child.ts'
import { makeOrg } from './sample.ts'

const folder = mkdtempSync(join(tmpdir(), 'almanac-fsync-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const canTrace = spawnSync('strace', ['-f', '-o', join(folder, 'try'), 'true']).status === 0

describe.skipIf(!canTrace)('an acknowledgement (skipped if strace is missing or not permitted)', () => {
  it('comes after an fsync of the log that follows its last write', async () => {
    const dir = join(folder, 'org')
    await makeOrg(dir)
    const trace = join(folder, 'trace')
    const calls = 'trace=fsync,fdatasync,write,pwrite64'
    const { status } = spawnSync('strace', [
      '-f',
      '-y',
      '-e',
      calls,
      '-o',
      trace,
      process.execPath,
      childFile,
      dir,
      '1',
      '-',
      '3',
    ])
    expect(status).toBe(0)
    const acknowledged = syncedBeforeDone(readFileSync(trace, 'utf8').split('\n'))
    expect(acknowledged).toEqual([true, true, true])
  })
})

/** For each acknowledgement in a trace: whether the log was written since the previous one, and synced after that. */
function syncedBeforeDone(lines: readonly string[]): boolean[] {
  const results: boolean[] = []
  let lastWrite = -1
  let lastSync = -1
  lines.forEach((line, at) => {
    if (/pwrite64\(\d+<[^>]*org\.sqlite-wal>/.test(line)) lastWrite = at
    if (/(fsync|fdatasync)\(\d+<[^>]*org\.sqlite-wal>/.test(line)) lastSync = at
    if (!/ write\(1<[^>]*>, "done /.test(line)) return
    results.push(lastWrite >= 0 && lastSync > lastWrite)
    lastWrite = -1
    lastSync = -1
  })
  return results
}
