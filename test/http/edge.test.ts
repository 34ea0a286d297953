// The HTTP edge: envelope, correlation, host names, origins, cookies, headers, methods, media types, sizes
// (docs/reference/http.md).
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { request as rawRequest } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openSession, runningServer, type TestServer } from '../support/running-server.ts'

let test: TestServer
beforeAll(async () => {
  test = await runningServer()
})
afterAll(() => test.close())

/** `fetch` does not let the caller set the Host header. */
function statusUnder(host: string | undefined, path = '/healthz'): Promise<number> {
  const { port } = new URL(test.url)
  return new Promise((resolve, reject) => {
    const headers = host === undefined ? {} : { host }
    const request = rawRequest({ host: '127.0.0.1', port, path, headers }, (response) => {
      response.resume()
      resolve(response.statusCode ?? 0)
    })
    request.on('error', reject)
    request.end()
  })
}

describe('the error envelope', () => {
  it('has every member, as application/problem+json', async () => {
    const { status, headers, body } = await test.studio('GET', '/metadata/v3/components/config_set/nothing')
    expect(status).toBe(404)
    expect(headers.get('content-type')).toBe('application/problem+json; charset=utf-8')
    expect(body).toEqual({
      type: 'urn:almanac:problem:component.not_found',
      title: 'No such component',
      status: 404,
      detail: 'The config_set "nothing" does not exist in this org.',
      class: 'not_found',
      code: 'component.not_found',
      correlationId: headers.get('x-correlation-id'),
      retriable: false,
      origin: 'api.request',
      details: [],
    })
  })

  it('names each unknown property and suggests a known one', async () => {
    const { status, body } = await test.studio('POST', '/setup/v3/resolve', { sett: 'vat', asof: null })
    expect(status).toBe(400)
    expect(body['code']).toBe('request.malformed')
    const details = body['details'] as { path: string; message: string }[]
    expect(details.map(({ path }) => path).sort()).toEqual(['/asof', '/set', '/sett'])
    expect(details.find(({ path }) => path === '/sett')!.message).toContain('Did you mean "set"?')
    expect(details.find(({ path }) => path === '/asof')!.message).toContain('Did you mean "asOf"?')
  })

  it('refuses an unknown query parameter and a limit out of bounds', async () => {
    expect((await test.studio('GET', '/metadata/v3/components?typ=config_set')).status).toBe(400)
    expect((await test.studio('GET', '/metadata/v3/components?limit=0')).status).toBe(400)
    expect((await test.studio('GET', '/metadata/v3/components?limit=1&limit=2')).status).toBe(400)
  })

  it('refuses a cursor of another query', async () => {
    const first = await test.studio<{ nextCursor: string }>('GET', '/metadata/v3/components?limit=1')
    const { nextCursor } = first.body
    expect((await test.studio('GET', `/metadata/v3/components?limit=1&cursor=${nextCursor}`)).status).toBe(
      200,
    )
    const other = await test.studio('GET', `/metadata/v3/components?limit=1&type=app&cursor=${nextCursor}`)
    expect(other.status).toBe(400)
  })
})

describe('correlation ids', () => {
  it('keeps the id of the request', async () => {
    const { headers } = await test.plain('GET', '/healthz', undefined, { 'x-correlation-id': 'trace-7' })
    expect(headers.get('x-correlation-id')).toBe('trace-7')
  })

  it('creates one if the request has none, or an invalid one', async () => {
    for (const given of [{}, { 'x-correlation-id': 'a b' }, { 'x-correlation-id': 'x'.repeat(129) }]) {
      const { headers } = await test.plain('GET', '/healthz', undefined, given as Record<string, string>)
      expect(headers.get('x-correlation-id')).toMatch(/^[0-9a-f-]{36}$/)
    }
  })

  it('records it in the audit of what was done under it', async () => {
    const body = {
      components: [{ type: 'value_set', key: 'colours', label: 'Colours', body: { values: [] } }],
    }
    await test.studio('POST', '/metadata/v3/apply', body, { 'x-correlation-id': 'apply-1' })
    const { body: audit } = await test.studio<{ rows: { correlationId: string }[] }>(
      'GET',
      '/metadata/v3/audit?limit=1',
    )
    expect(audit.rows[0]!.correlationId).toBe('apply-1')
  })
})

describe('hosts and origins', () => {
  it('responds only under its own host names', async () => {
    const { port } = new URL(test.url)
    for (const host of [`127.0.0.1:${port}`, `localhost:${port}`, `LOCALHOST:${port}`, `[::1]:${port}`])
      expect(await statusUnder(host), host).toBe(200)
    for (const host of [
      'evil.example',
      `evil.example:${port}`,
      '127.0.0.1',
      '127.0.0.1:1',
      `127.0.0.1.evil.example:${port}`,
    ])
      expect(await statusUnder(host), host).toBe(403)
  })

  it('accepts unsafe requests only from its exact origin', async () => {
    const put = (origin: string | undefined) =>
      test.plain(
        'POST',
        '/setup/v3/resolve',
        { set: 'x' },
        { cookie: test.cookie, ...(origin === undefined ? {} : { origin }) },
      )
    expect((await put(test.url)).status).toBe(404)
    for (const origin of [
      'http://evil.example',
      'null',
      test.url.replace('http:', 'https:'),
      `${test.url}.evil.example`,
      undefined,
    ]) {
      const { status, body } = await put(origin)
      expect(status, String(origin)).toBe(403)
      expect(body['code']).toBe('auth.forbidden_origin')
    }
  })

  it('accepts a missing origin with a bearer token, but never a foreign one', async () => {
    const none = await test.bearer('wrong')('POST', '/setup/v3/resolve', { set: 'x' })
    expect(none.body['code']).toBe('auth.invalid')
    const foreign = await test.bearer('wrong')(
      'POST',
      '/setup/v3/resolve',
      { set: 'x' },
      { origin: 'http://evil.example' },
    )
    expect(foreign.body['code']).toBe('auth.forbidden_origin')
  })

  it('requires a session or a token before it reads the body', async () => {
    const { status, body, headers } = await test.plain('POST', '/metadata/v3/apply', '{ not json')
    expect(status).toBe(401)
    expect(body['code']).toBe('auth.required')
    expect(headers.get('www-authenticate')).toBe('Bearer realm="almanac"')
  })

  it('refuses cookies of a previous start', async () => {
    const forged = test.cookie.replace(/.$/, (last) => (last === 'A' ? 'B' : 'A'))
    expect((await test.plain('GET', '/setup/v3/org', undefined, { cookie: forged })).status).toBe(401)
    expect((await test.plain('GET', '/setup/v3/org', undefined, { cookie: test.cookie })).status).toBe(200)
  })
})

describe('the session link', () => {
  it('works once, and sets a cookie that no script and no other site can use', async () => {
    const fresh = await runningServer({ studio: true })
    try {
      // The fixture has used the link already.
      const again = await fetch(fresh.server.open!, { redirect: 'manual' })
      expect(again.status).toBe(401)
      expect(again.headers.get('set-cookie')).toBeNull()
      const wrong = await fetch(`${fresh.url}/session?once=wrong`, { redirect: 'manual' })
      expect(wrong.status).toBe(401)
      expect(wrong.headers.get('content-type')).toBe('application/problem+json; charset=utf-8')
      expect(fresh.cookie).toMatch(/^almanac_session_\d+_[0-9a-f]{8}=[A-Za-z0-9_-]{43}$/)
    } finally {
      await fresh.close()
    }
  })

  it('once used, redirects the browser that holds the session, and shows a page to any other', async () => {
    const fresh = await runningServer({ studio: true })
    const accept = 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8'
    const follow = (headers: Record<string, string>) =>
      fetch(fresh.server.open!, { redirect: 'manual', headers: { accept, ...headers } })
    try {
      const other = await follow({})
      expect(other.status).toBe(401)
      expect(other.headers.get('content-type')).toBe('text/html; charset=utf-8')
      expect(other.headers.get('content-security-policy')).toContain("default-src 'none'")
      expect(await other.text()).toMatch(/link was already used[^]*npm start[^]*almanac serve --studio/)
      for (let attempt = 0; attempt < 10; attempt += 1) await follow({})
      expect((await follow({})).status).toBe(429)
      const own = await follow({ cookie: fresh.cookie })
      expect(own.status).toBe(302)
      expect(own.headers.get('location')).toBe('/')
    } finally {
      await fresh.close()
    }
  })

  it('sets an HttpOnly, SameSite=Strict cookie and redirects to the first page', async () => {
    const { startServer } = await import('../../server/index.ts')
    const { root } = { root: process.cwd() }
    const other = await startServer({
      org: `${test.dir}/../${test.dir.split('/').at(-1)}-b`,
      root,
      host: '127.0.0.1',
      port: 0,
      studio: true,
      sample: true,
    })
    try {
      const response = await fetch(other.open!, { redirect: 'manual' })
      expect(response.status).toBe(302)
      expect(response.headers.get('location')).toBe('/')
      expect(response.headers.get('set-cookie')).toMatch(/; Path=\/; HttpOnly; SameSite=Strict$/)
      expect(await openSession(other.open!)).toBe('')
    } finally {
      await other.close()
    }
  })

  it('is throttled', async () => {
    const fresh = await runningServer()
    try {
      for (let attempt = 0; attempt < 10; attempt += 1)
        expect((await fresh.plain('GET', '/session?once=wrong')).status).toBe(401)
      const { status, headers } = await fresh.plain('GET', '/session?once=wrong')
      expect(status).toBe(429)
      expect(Number(headers.get('retry-after'))).toBeGreaterThan(0)
    } finally {
      await fresh.close()
    }
  })
})

describe('response headers', () => {
  it('carry the content policy, and do not name the software', async () => {
    const { headers } = await test.plain('GET', '/healthz')
    expect(headers.get('content-security-policy')).toBe(
      "default-src 'none';script-src 'self';worker-src 'self' blob:;style-src 'self' 'unsafe-inline';font-src 'self' data:;" +
        "img-src 'self' data:;connect-src 'self';frame-ancestors 'none';base-uri 'none';form-action 'self'",
    )
    expect(headers.get('x-content-type-options')).toBe('nosniff')
    expect(headers.get('referrer-policy')).toBe('no-referrer')
    expect(headers.get('x-powered-by')).toBeNull()
    expect(headers.get('access-control-allow-origin')).toBeNull()
    expect(headers.get('strict-transport-security')).toBeNull()
  })

  it('keep responses out of caches', async () => {
    const { headers } = await test.studio('GET', '/setup/v3/org')
    expect(headers.get('cache-control')).toBe('private, no-store')
  })
})

describe('routes', () => {
  it('respond 404 for what does not exist', async () => {
    for (const path of ['/metadata/v3/nothing', '/setup/v3', '/data/v4', '/nothing.js', '/openapi.json/x'])
      expect((await test.studio('GET', path)).body['code'], path).toBe('route.not_found')
  })

  it('respond 405 with the allowed methods', async () => {
    const { status, body, headers } = await test.studio('DELETE', '/metadata/v3/apply')
    expect(status).toBe(405)
    expect(body['code']).toBe('protocol.method_not_allowed')
    expect(headers.get('allow')).toBe('OPTIONS, POST')
    const options = await test.studio('OPTIONS', '/metadata/v3/components')
    expect([options.status, options.headers.get('allow')]).toEqual([204, 'GET, HEAD, OPTIONS'])
  })

  it('respond 415 for a different media type or charset, and 400 for invalid JSON', async () => {
    const typed = (type: string, text = '{}') =>
      test.studio('POST', '/setup/v3/resolve', text, { 'content-type': type })
    expect((await typed('text/plain')).status).toBe(415)
    expect((await typed('application/xml')).body['code']).toBe('request.media_type')
    expect((await typed('application/json; charset=latin1')).status).toBe(415)
    expect((await typed('application/json; charset=utf-16le', '{ }')).status).toBe(415)
    const latin = await fetch(`${test.url}/setup/v3/resolve`, {
      method: 'POST',
      headers: { cookie: test.cookie, origin: test.url, 'content-type': 'application/json' },
      body: Buffer.from('{"set": "Grüße"}', 'latin1'),
    })
    expect([latin.status, ((await latin.json()) as { detail: string }).detail]).toEqual([
      400,
      'The body is not valid UTF-8. Save it as UTF-8 and send it again.',
    ])
    const broken = await typed('application/json', '{"set": "x",}')
    expect(broken.status).toBe(400)
    expect(broken.body['detail']).toMatch(/not valid JSON: .*position 12/)
  })

  it('respond 413 above their limit', async () => {
    const { status, body } = await test.studio('POST', '/setup/v3/resolve', { set: 'x'.repeat(1024 * 1024) })
    expect(status).toBe(413)
    expect(body['detail']).toContain('1 MiB')
  })

  it('respond 410 for retired versions, with successor and guide', async () => {
    for (const [method, path] of [
      ['GET', '/data/v1'],
      ['POST', '/data/v2/invoice/batch'],
    ] as const) {
      const { status, body } = await test.studio(method, path)
      expect(status).toBe(410)
      expect(body['details']).toEqual([{ successor: '/data/v3', guide: '/docs/migrate-to-v3' }])
    }
    const guide = await test.plain('GET', '/docs/migrate-to-v3')
    expect(guide.text).toContain('# Moving to protocol v3')
  })

  it('reveal nothing about an internal error', async () => {
    const { body } = await test.studio('GET', '/metadata/v3/components/config_set/%ff')
    expect(body['code']).toBe('request.malformed')
    expect(JSON.stringify(body)).not.toMatch(/node_modules|\.ts:|at /)
  })
})

describe('routes for operators', () => {
  it('report that the server is alive and ready', async () => {
    expect((await test.plain('GET', '/healthz')).body).toEqual({ status: 'ok' })
    const ready = await test.plain<{ status: string; generation: number }>('GET', '/readyz')
    expect(ready.body.generation).toBeGreaterThan(0)
  })

  it('count requests by the template of their path', async () => {
    await test.studio('GET', '/metadata/v3/components/config_set/secret_name')
    const { text, headers } = await test.plain('GET', '/metrics')
    expect(headers.get('content-type')).toContain('version=0.0.4')
    expect(text).toMatch(
      /almanac_http_requests_total\{method="GET",route="\/metadata\/v3\/components\/\{type\}\/\{key\}",status="404"\} \d/,
    )
    expect(text).toMatch(/^almanac_active_generation \d+$/m)
    expect(text).toMatch(/^almanac_apply_duration_seconds_count 1$/m)
    expect(text).not.toContain('secret_name')
  })
})

describe('the studio’s files', () => {
  it('are cached by browsers if their name changes with their content, but never the page', async () => {
    const root = mkdtempSync(join(tmpdir(), '.almanac-studio-'))
    mkdirSync(join(root, 'out', 'renderer', 'assets'), { recursive: true })
    writeFileSync(join(root, 'out', 'renderer', 'index.html'), '<!doctype html><title>Studio</title>')
    writeFileSync(join(root, 'out', 'renderer', 'assets', 'main-1a2b.js'), 'export {}')
    const built = await runningServer({ root })
    try {
      const asset = await built.plain('GET', '/assets/main-1a2b.js')
      expect([asset.status, asset.headers.get('cache-control')]).toEqual([
        200,
        'public, max-age=31536000, immutable',
      ])
      for (const path of [
        '/',
        '/c/config_entry/vat_rate.de_2021',
        '/people/users/jon.abara',
        '/generations/1.5',
        '/changes',
        '/playground',
      ]) {
        const page = await built.plain('GET', path)
        expect([page.status, page.headers.get('cache-control')], path).toEqual([200, 'no-cache'])
        expect(page.text).toContain('<title>Studio</title>')
      }
      for (const path of ['/assets/gone.js', '/../package.json', '/.env'])
        expect((await built.plain('GET', path)).status, path).toBe(404)
    } finally {
      await built.close()
      rmSync(root, { recursive: true, force: true })
    }
  })

  it('explain what to do if they are not built', async () => {
    const bare = await runningServer({ root: test.dir })
    try {
      const { status, text } = await bare.plain('GET', '/c/config_set/vat_rate')
      expect(status).toBe(503)
      expect(text).toContain('npm run build')
    } finally {
      await bare.close()
    }
  })
})
