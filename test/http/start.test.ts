// How a server starts: on which hosts, with which folder, and with which messages if it cannot start.
import { execFileSync, spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { get as getPlain } from 'node:http'
import { get } from 'node:https'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { startServer, type StartOptions } from '../../server/index.ts'
import { runningServer } from '../support/running-server.ts'

const hasOpenssl = spawnSync('openssl', ['version']).status === 0

const start = (options: Partial<StartOptions>) =>
  startServer({
    org: mkdtempSync(join(tmpdir(), 'almanac-none-')),
    root: process.cwd(),
    host: '127.0.0.1',
    port: 0,
    studio: false,
    sample: false,
    ...options,
  })

describe('startServer', () => {
  it('refuses a host that others can reach without TLS or a proxy', async () => {
    await expect(start({ host: '0.0.0.0' })).rejects.toThrow(/--tls-cert.*--behind-proxy/)
  })

  it('refuses a proxy without the URL of the server, and a URL that is not one of it', async () => {
    await expect(start({ behindProxy: true })).rejects.toThrow(/--public-url/)
    for (const publicUrl of [
      'almanac.example.com',
      'http://a.example',
      'https://a.example/path',
      'https://u@a',
    ])
      await expect(start({ behindProxy: true, publicUrl })).rejects.toThrow(/must be the https URL/)
    await expect(start({ publicUrl: 'https://a.example' })).rejects.toThrow(/must be the http URL/)
  })

  it('reports that the org does not exist', async () => {
    await expect(start({})).rejects.toMatchObject({ code: 'org.not_found' })
  })

  it('reports that the port is in use', async () => {
    const test = await runningServer()
    try {
      const port = Number(new URL(test.url).port)
      await expect(start({ org: test.dir, port })).rejects.toThrow(/already in use.*--port/)
    } finally {
      await test.close()
    }
  })

  it('accepts a public host behind a proxy, and prints the URL on which it listens', async () => {
    const test = await runningServer({
      behindProxy: true,
      studio: false,
      publicUrl: 'https://almanac.example.com',
      publicHosts: ['other.example.com:8443'],
    })
    try {
      expect(test.url).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/)
      const statusAs = (host: string) =>
        new Promise<number | undefined>((done, fail) => {
          const { port } = new URL(test.url)
          getPlain({ host: '127.0.0.1', port, path: '/setup/v3/org', headers: { host } }, (response) => {
            response.resume()
            done(response.statusCode)
          }).on('error', fail)
        })
      expect(await statusAs('almanac.example.com')).toBe(401)
      expect(await statusAs('other.example.com:8443')).toBe(401)
      expect(await statusAs('other.example.com')).toBe(403)
      expect(await statusAs('elsewhere.example.com')).toBe(403)
      // The proxy's port is not this server's.
      expect(await statusAs('localhost')).toBe(403)
    } finally {
      await test.close()
    }
  })

  it('serves clients behind a proxy, with metrics only for operators', async () => {
    const test = await runningServer({
      ...{ host: '0.0.0.0', behindProxy: true, studio: false },
      publicUrl: 'https://almanac.example.com',
    })
    try {
      const url = `http://127.0.0.1:${new URL(test.url).port}`
      expect((await fetch(`${url}/healthz`)).headers.get('strict-transport-security')).toContain('max-age')
      expect((await fetch(`${url}/metrics`)).status).toBe(401)
      expect((await fetch(`${url}/setup/v3/org`)).status).toBe(401)
      const { token } = await test.beside(({ access }) =>
        access.issueToken({ actor: 'admin', correlationId: 't', isOperator: true }, 'local'),
      )
      expect((await fetch(`${url}/metrics`, { headers: { authorization: `Bearer ${token}` } })).status).toBe(
        200,
      )
      expect((await fetch(`${url}/`)).status).toBe(404)
    } finally {
      await test.close()
    }
  })

  it.skipIf(!hasOpenssl)(
    'serves TLS, with a cookie only for TLS (skipped if openssl is missing)',
    async () => {
      const dir = mkdtempSync(join(tmpdir(), 'almanac-tls-'))
      const tls = { cert: join(dir, 'cert.pem'), key: join(dir, 'key.pem') }
      const made = ['req', '-x509', '-newkey', 'rsa:2048', '-nodes', '-days', '1', '-subj', '/CN=localhost']
      execFileSync('openssl', [...made, '-keyout', tls.key, '-out', tls.cert], { stdio: 'ignore' })
      const server = await start({ org: join(dir, 'org'), sample: true, studio: true, tls })
      try {
        expect(server.listening).toMatch(/^https:/)
        const { status, cookie } = await overTls(server.open!, readFileSync(tls.cert))
        expect([status, cookie]).toEqual([302, expect.stringMatching(/; HttpOnly; Secure; SameSite=Strict$/)])
      } finally {
        await server.close()
        rmSync(dir, { recursive: true, force: true })
      }
    },
  )
})

/** `fetch` does not let the caller set the authority. */
function overTls(url: string, ca: Buffer): Promise<{ status: number; cookie: string }> {
  return new Promise((resolve, reject) => {
    get(url, { ca, checkServerIdentity: () => undefined }, (response) => {
      response.resume()
      resolve({ status: response.statusCode ?? 0, cookie: response.headers['set-cookie']?.[0] ?? '' })
    }).on('error', reject)
  })
}
