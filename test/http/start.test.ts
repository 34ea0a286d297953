// How a server starts: on which hosts, with which folder, and what it says where it cannot (completions 5, 6).
import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { startServer, type StartOptions } from '../../server/index.ts'
import { runningServer } from '../support/running-server.ts'

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
  it('refuses a host that others reach without TLS or a proxy', async () => {
    await expect(start({ host: '0.0.0.0' })).rejects.toThrow(/--tls-cert.*--behind-proxy/)
  })

  it('serves no studio to others', async () => {
    await expect(start({ host: '0.0.0.0', behindProxy: true, studio: true })).rejects.toThrow(/studio/)
  })

  it('says that there is no org', async () => {
    await expect(start({})).rejects.toMatchObject({ code: 'org.not_found' })
  })

  it('says that the port is taken', async () => {
    const test = await runningServer()
    try {
      const port = Number(new URL(test.url).port)
      await expect(start({ org: test.dir, port })).rejects.toThrow(/is taken.*--port/)
    } finally {
      await test.close()
    }
  })

  it('serves clients behind a proxy, with metrics for operators only', async () => {
    const test = await runningServer({ host: '0.0.0.0', behindProxy: true, studio: false })
    try {
      const url = `http://127.0.0.1:${new URL(test.url).port}`
      expect((await fetch(`${url}/healthz`)).headers.get('strict-transport-security')).toContain('max-age')
      expect((await fetch(`${url}/metrics`)).status).toBe(401)
      expect((await fetch(`${url}/setup/v3/org`)).status).toBe(401)
      const { token } = await test.beside(({ access }) =>
        access.issueToken({ actor: 'admin', correlationId: 't', operator: true }, 'local'),
      )
      expect((await fetch(`${url}/metrics`, { headers: { authorization: `Bearer ${token}` } })).status).toBe(
        200,
      )
      expect((await fetch(`${url}/`)).status).toBe(404)
    } finally {
      await test.close()
    }
  })
})
