// The signing key of a served org is removed, replaced, damaged and restored: the server is not ready in between.
import { readFileSync, renameSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { keyFile } from '../../server/compose/org-folder.ts'
import { signingKeyCheck } from '../../server/compose/signing-key-check.ts'
import { openOrg } from '../../server/compose/open-org.ts'
import { runningServer, type TestServer } from '../support/running-server.ts'

let test: TestServer
let path: string
let key: string
beforeEach(async () => {
  test = await runningServer({ worker: false })
  path = keyFile(test.dir)
  key = readFileSync(path, 'utf8')
})
afterEach(() => test.close())

const isReady = async (): Promise<unknown[]> => {
  const { status, body } = await test.plain('GET', '/readyz')
  return [status, body['detail'] ?? body['status']]
}
/** Probes share a result for two seconds. */
const becomes = (expected: unknown): Promise<void> =>
  vi.waitFor(async () => expect(await isReady()).toEqual(expected), { timeout: 10_000, interval: 200 })
const notReady = (why: string): unknown => [
  500,
  expect.stringContaining(`The file signing.key of the org ${why}`),
]

it('a server is not ready while its signing key is missing, different or damaged', async () => {
  await becomes([200, 'ok'])
  renameSync(path, `${path}.aside`)
  await becomes(notReady('is missing'))
  writeFileSync(path, `${'ab'.repeat(32)}\n`)
  await becomes(notReady('contains a different key'))
  writeFileSync(path, 'not a key')
  await becomes(notReady('cannot be read, or does not contain a key'))
  rmSync(path)
  renameSync(`${path}.aside`, path)
  await becomes([200, 'ok'])
}, 60_000)

it('the file is read again only after it was changed, even if its size and its time stay the same', async () => {
  const org = openOrg(test.dir)
  let reads = 0
  const check = signingKeyCheck({
    dir: test.dir,
    store: { read: (work) => ((reads += 1), org.store.read(work)) },
  })
  for (let probe = 0; probe < 10; probe += 1) check()
  expect(reads).toBe(1)
  const { atime, mtime } = statSync(path)
  writeFileSync(path, key.replaceAll(/[0-9]/g, '1'))
  utimesSync(path, atime, mtime)
  expect(check).toThrow('contains a different key')
  expect(check).toThrow('contains a different key')
  writeFileSync(path, key)
  expect(check).not.toThrow()
  await org.close()
})
