// A wrong URL or port for a server is a usage error with a clear message, never a stack trace.
import { createServer } from 'node:net'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { almanac, scratch } from './almanac.ts'

it('serve names the fault and the fix', async () => {
  const org = join(scratch(), 'org')
  expect(almanac(['init', org]).code).toBe(0)
  const taken = createServer()
  await new Promise<void>((resolve) => taken.listen(0, '127.0.0.1', resolve))
  const { port } = taken.address() as AddressInfo
  const cases: [string[], RegExp][] = [
    [['--port', '99999'], /0 \(any free port\) to 65535/],
    [['--port', String(port)], /is already in use. Choose a different port with --port/],
    [['--host', '0.0.0.0'], /reached from other machines.*Pass --tls-cert/],
    [['--tls-cert', '/nowhere/cert.pem', '--tls-key', '/nowhere/key.pem'], /cert.pem cannot be read/],
    [
      ['--tls-cert', join(org, 'signing.key'), '--tls-key', join(org, 'org.sqlite')],
      /not a certificate and its key/,
    ],
  ]
  for (const [args, words] of cases) {
    const ran = almanac(['serve', '--org', org, ...args])
    expect(ran).toMatchObject({ code: 2, err: expect.stringMatching(words) as string })
    expect(ran.err).not.toMatch(/^\s+at /m)
  }
  await new Promise((resolve) => taken.close(resolve))
})
