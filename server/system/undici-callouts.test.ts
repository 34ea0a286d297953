import { brotliCompressSync, deflateRawSync, deflateSync, gzipSync, zstdCompressSync } from 'node:zlib'
import type { LookupAddress } from 'node:dns'
import { type TLSSocket, type Server as TlsServer } from 'node:tls'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { answer, faultyTarget, type FaultyTarget } from '../../test/support/faulty-target.ts'
import { hasOpenssl, testAuthority } from '../../test/support/test-certificates.ts'
import { CalloutFault, calloutMethods, type TransportRequest } from '../ports/callout-transport.ts'
import { addressRule } from './address-rule.ts'
import type { AddressRule, Lookup } from './guarded-lookup.ts'
import { poolLimits } from './connection-pools.ts'
import { Exchange } from './exchange.ts'
import { undiciCallouts, type CalloutTransportOptions } from './undici-callouts.ts'

const anywhere: AddressRule = () => null
const million = Buffer.alloc(1_000_000)

let target: FaultyTarget

beforeAll(async () => {
  target = await faultyTarget({
    gzip: answer(200, gzipSync('fine'), { 'content-encoding': 'gzip' }),
    deflate: answer(200, deflateSync('fine'), { 'content-encoding': 'deflate' }),
    raw_deflate: answer(200, deflateRawSync('fine'), { 'content-encoding': 'deflate' }),
    br: answer(200, brotliCompressSync('fine'), { 'content-encoding': 'br' }),
    zstd: answer(200, zstdCompressSync('fine'), { 'content-encoding': 'zstd' }),
    twice: answer(200, gzipSync(brotliCompressSync('fine')), { 'content-encoding': 'br, gzip' }),
    gzip_bomb: answer(200, gzipSync(million), { 'content-encoding': 'gzip' }),
    br_bomb: answer(200, brotliCompressSync(million), { 'content-encoding': 'br' }),
    zstd_bomb: answer(200, zstdCompressSync(million), { 'content-encoding': 'zstd' }),
    double_bomb: answer(200, gzipSync(gzipSync(million)), { 'content-encoding': 'gzip, gzip' }),
    layers: answer(200, 'x', { 'content-encoding': 'gzip, gzip, gzip' }),
    damaged: answer(200, gzipSync('fine').subarray(0, 15), { 'content-encoding': 'gzip' }),
    unknown: answer(200, 'fine', { 'content-encoding': 'compress' }),
    declared: answer(200, '', { 'content-length': '2000' }),
    redirect: answer(302, '', { location: 'http://169.254.169.254/?token=secret-mark' }),
  })
})

afterAll(() => target.close())

function opened(rule: AddressRule = anywhere, options?: CalloutTransportOptions) {
  const transport = undiciCallouts(rule, options)
  onTestFinished(() => transport.close())
  return transport
}

function get(path: string, more: Partial<TransportRequest> = {}): TransportRequest {
  const url = `http://127.0.0.1:${target.port}/${path}`
  return { method: 'GET', url, headers: {}, timeoutMs: 5000, maxBytes: 1000, ...more }
}

async function faultOf(sent: Promise<unknown>): Promise<CalloutFault> {
  const error = await sent.then(
    () => new Error('the call succeeded'),
    (fault: unknown) => fault,
  )
  expect(error).toBeInstanceOf(CalloutFault)
  expect((error as Error).cause).toBeUndefined()
  return error as CalloutFault
}

describe('the transport of callouts', () => {
  it.each(calloutMethods)('sends %s with bytes as its body', async (method) => {
    const body = method === 'GET' || method === 'HEAD' ? undefined : Buffer.from('bytes')
    const { status, body: echo } = await opened().send(get('echo', { method, body, headers: { 'X-A': 'b' } }))
    expect(status).toBe(200)
    const [request] = target.requests.slice(-1)
    expect(request).toMatch(new RegExp(`^${method} /echo HTTP/1.1\r\n`))
    expect(request).toContain('x-a: b\r\n')
    expect(request!.endsWith(body === undefined ? '\r\n\r\n' : '\r\n\r\nbytes')).toBe(true)
    if (method !== 'HEAD') expect(Buffer.from(echo).toString()).toBe(request)
  })

  it('keeps headers of the connection for itself', async () => {
    const headers = { Host: 'other.example', 'Content-Length': '99', 'Transfer-Encoding': 'chunked' }
    await opened().send(get('ok', { headers }))
    expect(target.requests.at(-1)).toContain(`host: 127.0.0.1:${target.port}\r\n`)
    expect(target.requests.at(-1)).not.toMatch(/other|content-length|transfer-encoding/)
  })

  it.each(['gzip', 'deflate', 'raw_deflate', 'br', 'zstd', 'twice', 'early_hints'])(
    'reads a response with %s',
    async (path) => {
      const { status, headers, body } = await opened().send(get(path))
      expect([status, Buffer.from(body).toString()]).toEqual([200, 'fine'])
      expect(headers).not.toHaveProperty('content-encoding')
    },
  )

  it('returns redirects and does not follow them', async () => {
    const { status } = await opened().send(get('redirect'))
    expect(status).toBe(302)
  })

  const faults: [path: string, kind: CalloutFault['kind'], isSent: boolean, status: number | null][] = [
    ['hang', 'timeout', true, null],
    ['reset', 'lost', true, null],
    ['end', 'lost', true, null],
    ['half', 'lost', true, 200],
    ['trickle', 'timeout', true, 200],
    ['trickle_head', 'timeout', true, null],
    ['endless', 'too_large', true, 200],
    ['declared', 'too_large', true, 200],
    ['gzip_bomb', 'too_large', true, 200],
    ['br_bomb', 'too_large', true, 200],
    ['zstd_bomb', 'too_large', true, 200],
    ['double_bomb', 'too_large', true, 200],
    ['layers', 'unreadable', true, 200],
    ['damaged', 'unreadable', true, 200],
    ['unknown', 'unreadable', true, 200],
    ['garbage', 'unreadable', true, null],
  ]
  it.each(faults)('names the fault of %s: %s', async (path, kind, isSent, status) => {
    const transport = opened()
    const fault = await faultOf(
      transport.send(get(`${path}?token=secret-mark`, { timeoutMs: 250, headers: { x: 'secret-mark' } })),
    )
    expect([fault.kind, fault.isSent, fault.status]).toEqual([kind, isSent, status])
    expect(fault.message).not.toMatch(/secret-mark|127\.0\.0\.1|UND_|HPE_/)
    expect((await transport.send(get('ok'))).status).toBe(200)
  })

  it.each(['hang', 'trickle', 'endless'])('closes the connection of a target with %s', async (path) => {
    const own = await faultyTarget()
    onTestFinished(() => own.close())
    const url = `http://127.0.0.1:${own.port}/${path}`
    await faultOf(opened().send(get('', { url, timeoutMs: 100 })))
    expect(own.connections()).toBe(1)
    await expect.poll(() => own.open.size).toBe(0)
  })

  it('names a target that nobody listens to, and a name that does not exist', async () => {
    const closed = await faultyTarget()
    await closed.close()
    const refused = await faultOf(opened().send(get('', { url: `http://127.0.0.1:${closed.port}/` })))
    expect([refused.kind, refused.isSent, refused.message]).toEqual([
      'unreachable',
      false,
      'it refused the connection',
    ])
    const unknown = await faultOf(opened().send(get('', { url: 'http://nowhere.invalid/' })))
    expect([unknown.kind, unknown.isSent]).toEqual(['unreachable', false])
  })

  it('has nothing sent if it cannot connect in time', async () => {
    const lookup = (() => {}) as unknown as Lookup
    const fault = await faultOf(
      opened(anywhere, { lookup }).send(get('', { url: 'http://slow.example/', timeoutMs: 50 })),
    )
    expect([fault.kind, fault.isSent, fault.message]).toEqual([
      'timeout',
      false,
      'no connection within 0.050 s',
    ])
  })

  it('refuses what cannot be sent, without its value', async () => {
    const before = target.requests.length
    const fault = await faultOf(opened().send(get('ok', { headers: { x: 'a\r\nsecret-mark: 1' } })))
    expect([fault.kind, fault.isSent]).toEqual(['invalid', false])
    expect(fault.message).not.toContain('secret-mark')
    expect(target.requests.length).toBe(before)
  })

  it('ends by its signal, before and after it is sent', async () => {
    const before = target.requests.length
    const early = await faultOf(opened().send(get('ok', { signal: AbortSignal.abort() })))
    expect([early.kind, early.isSent, target.requests.length]).toEqual(['cancelled', false, before])
    const controller = new AbortController()
    const sent = opened().send(get('hang', { signal: controller.signal }))
    await expect.poll(() => target.requests.length).toBe(before + 1)
    controller.abort()
    const late = await faultOf(sent)
    expect([late.kind, late.isSent]).toEqual(['cancelled', true])
  })

  it('reuses connections, and closes pools that have had no call for some time', async () => {
    const before = target.connections()
    const transport = opened(anywhere, { limits: { ...poolLimits, idlePoolMs: 50 } })
    for (let n = 0; n < 5; n += 1) await transport.send(get('ok'))
    expect(target.connections() - before).toBe(1)
    expect(transport.pools()).toBe(1)
    await expect.poll(() => transport.pools()).toBe(0)
  })

  it('keeps at most so many pools', async () => {
    const transport = opened(anywhere, { limits: { ...poolLimits, pools: 3 } })
    for (let n = 1; n <= 8; n += 1)
      await transport.send(get('ok', { url: `http://127.0.0.${n}:${target.port}/ok` })).catch(() => {})
    expect(transport.pools()).toBeLessThanOrEqual(3)
  })
})

describe('the addresses of callouts', () => {
  const served = addressRule({ isOwnMachine: false, allowed: [] })

  it.each([
    '0x7f.1',
    '2130706433',
    '127.1',
    '[::127.0.0.1]',
    '[64:ff9b::a9fe:a9fe]',
    '[::ffff:10.0.0.1]',
    '127.0.0.1.',
  ])('refuses %s without sending', async (host) => {
    const before = target.connections()
    const fault = await faultOf(opened(served).send(get('', { url: `http://${host}:${target.port}/ok` })))
    expect([fault.kind, fault.isSent, target.connections()]).toEqual(['address', false, before])
  })

  it('refuses a name by each of its answers', async () => {
    const lookup = resolving(() => ['93.184.216.34', '10.0.0.1'])
    const fault = await faultOf(opened(served, { lookup }).send(get('', { url: 'http://a.example/' })))
    expect(fault.kind).toBe('address')
    expect(fault.message).toContain('10.0.0.1')
  })

  it('checks a name again for each new connection; a kept one stays where it was', async () => {
    const answers = ['127.0.0.1', '127.0.0.1', '169.254.169.254']
    let lookups = 0
    const lookup = resolving(() => [answers[Math.min(lookups++, 2)]!])
    const rule: AddressRule = (address) => (address === '127.0.0.1' ? null : `${address} is not allowed`)
    const transport = opened(rule, { lookup })
    const url = `http://changes.example:${target.port}`
    await transport.send(get('', { url: `${url}/ok` }))
    await transport.send(get('', { url: `${url}/ok` }))
    expect(lookups).toBe(1)
    await faultOf(transport.send(get('', { url: `${url}/reset` })))
    await transport.send(get('', { url: `${url}/ok` }))
    expect(lookups).toBe(2)
    await faultOf(transport.send(get('', { url: `${url}/reset` })))
    expect((await faultOf(transport.send(get('', { url: `${url}/ok` })))).kind).toBe('address')
  })
})

function resolving(answers: () => string[]): Lookup {
  return ((_name: string, _options: object, done: (error: null, found: LookupAddress[]) => void) =>
    done(
      null,
      answers().map((address) => ({ address, family: 4 })),
    )) as unknown as Lookup
}

describe.skipIf(!hasOpenssl)('the certificates of callouts (skipped if openssl is missing)', () => {
  const authority = testAuthority('Almanac test')
  const other = testAuthority('Another')
  const serverIdentity = authority.certify('target.example')
  const client = authority.certify('client', { passphrase: 'open sesame' })
  const lookup = resolving(() => ['127.0.0.1'])
  let server: FaultyTarget
  let strict: FaultyTarget

  beforeAll(async () => {
    const identity = { cert: serverIdentity.certificate, key: serverIdentity.key, ca: authority.ca }
    server = await faultyTarget(
      { name: (socket, request) => answer(200, (socket as TLSSocket).servername || '')(socket, request) },
      identity,
    )
    strict = await faultyTarget(
      {
        who: (socket, request) =>
          answer(200, String((socket as TLSSocket).getPeerCertificate().subject.CN))(socket, request),
      },
      { ...identity, requestCert: true, rejectUnauthorized: true },
    )
  })
  afterAll(() => Promise.all([server.close(), strict.close()]))

  const call = (at: FaultyTarget, tls?: TransportRequest['tls'], name = 'target.example', path = 'name') =>
    opened(anywhere, { lookup }).send(get('', { url: `https://${name}:${at.port}/${path}`, tls }))

  it('trusts the given authority, and sends the name', async () => {
    const { body } = await call(server, { ca: authority.ca })
    expect(Buffer.from(body).toString()).toBe('target.example')
  })

  it.each([
    ['an unknown authority', undefined, 'target.example', /unknown authority/],
    ['a different authority', { ca: other.ca }, 'target.example', /unknown authority/],
    ['a different name', { ca: authority.ca }, 'other.example', /different name/],
  ] as const)('does not send to %s', async (_, tls, name, reason) => {
    const fault = await faultOf(call(server, tls, name))
    expect([fault.kind, fault.isSent]).toEqual(['tls', false])
    expect(fault.message).toMatch(reason)
    expect(server.requests.filter((request) => request.includes('other.example'))).toEqual([])
  })

  it('does not send to a certificate that has expired', async () => {
    const { certificate, key } = authority.certify('target.example', { days: -1 })
    const expired = await faultyTarget({}, { cert: certificate, key })
    onTestFinished(() => expired.close())
    const fault = await faultOf(call(expired, { ca: authority.ca }))
    expect([fault.kind, fault.message]).toEqual(['tls', 'its certificate has expired'])
  })

  it('presents the client certificate, with a key under a passphrase', async () => {
    const tls = { ...client, passphrase: 'open sesame', ca: authority.ca }
    expect(Buffer.from((await call(strict, tls, undefined, 'who')).body).toString()).toBe('client')
  })

  it.each([
    ['without a certificate', {}],
    ['with the certificate of a different authority', other.certify('client')],
  ])('names the refusal of a client %s, which the target does not carry out', async (_, identity) => {
    const before = strict.requests.length
    const fault = await faultOf(call(strict, { ...identity, ca: authority.ca }))
    expect(['tls', 'lost']).toContain(fault.kind)
    expect(strict.requests.length).toBe(before)
  })

  it.each([
    ['wrong passphrase', { ...client, passphrase: 'no' }],
    ['missing passphrase', client],
    ['key of a different certificate', { certificate: client.certificate, key: serverIdentity.key }],
    ['text that is not PEM', { certificate: 'secret-mark', key: 'secret-mark' }],
  ])('names a %s, without its text', async (_, tls) => {
    const fault = await faultOf(call(strict, tls))
    expect([fault.kind, fault.isSent]).toEqual(['tls', false])
    expect(fault.message).not.toContain('secret-mark')
  })

  it('does not share connections between identities', async () => {
    const transport = opened(anywhere, { lookup })
    const send = (tls: TransportRequest['tls']) =>
      transport.send(get('', { url: `https://target.example:${server.port}/name`, tls }))
    await send({ ca: authority.ca })
    expect((await faultOf(send({ ca: other.ca }))).kind).toBe('tls')
    expect(transport.pools()).toBe(2)
  })

  it('verifies a target that swaps its certificate', async () => {
    const shared = { ticketKeys: Buffer.alloc(48, 7), sessionIdContext: 'swapping' }
    const { certificate: cert, key: firstKey } = serverIdentity
    const swapping = await faultyTarget({}, { cert, key: firstKey, ...shared })
    onTestFinished(() => swapping.close())
    const transport = opened(anywhere, { lookup })
    const send = (path: string) =>
      transport.send(
        get('', { url: `https://target.example:${swapping.port}/${path}`, tls: { ca: authority.ca } }),
      )
    expect((await send('ok')).status).toBe(200)
    const { certificate, key } = other.certify('target.example')
    // The keys of its session tickets stay: a resumed session would not show the new certificate.
    ;(swapping.server as TlsServer).setSecureContext({ cert: certificate, key, ...shared })
    await faultOf(send('end'))
    expect((await faultOf(send('ok'))).kind).toBe('tls')
  })
})

describe('a request that must not be sent any more', () => {
  it('is not written', async () => {
    const before = target.requests.length
    const fault = await faultOf(opened().send(get('ok', { maySend: () => false })))
    expect(fault).toMatchObject({ kind: 'cancelled', isSent: false })
    expect(target.requests.length).toBe(before)
  })
})

describe('a process that is stopped until the time of a call is over', () => {
  it('does not write its request after a pool was opened', async () => {
    const before = target.requests.length
    const sent = faultOf(opened().send(get('ok', { timeoutMs: 20 })))
    // The pool is being opened.
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 50)
    expect(await sent).toMatchObject({ kind: 'timeout', isSent: false })
    expect(target.requests.length).toBe(before)
  })

  it('does not write its request', async () => {
    const exchange = new Exchange(get('ok', { timeoutMs: 5 }))
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 10)
    const aborted: unknown[] = []
    exchange.onRequestStart({ abort: (reason: Error) => void aborted.push(reason) } as never)
    expect(aborted).toHaveLength(1)
    await expect(exchange.response).rejects.toMatchObject({ kind: 'timeout', isSent: false })
  })
})
