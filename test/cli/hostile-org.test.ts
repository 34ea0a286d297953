// A hostile server: what it sends cannot choose a path, reach anything outside, or reveal a token.
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { writeComponentFiles } from '../../server/cli/save-changes.ts'
import { openRemoteOrg } from '../../server/cli/remote-org.ts'
import { bodyOf } from '../../server/cli/response-body.ts'

const token = 'token-of-ours-0123456789'
const manifest = { path: 'almanac.json', text: '{"lineage":"0197d0e4","generation":3}' }
const component = (type: string, key: string) => JSON.stringify({ type, key, label: 'x', body: {} })
const good = { path: 'value_set/good.json', text: component('value_set', 'good') }

let lines: unknown[] = []
let plain: string | null = null
const server = createServer((request, answer) => {
  request.resume()
  if (plain !== null) return void answer.writeHead(403, { 'content-type': 'application/json' }).end(plain)
  answer.writeHead(200, { 'content-type': 'application/x-ndjson' })
  answer.end(lines.map((line) => (typeof line === 'string' ? line : JSON.stringify(line))).join('\n'))
})
let base: string
let dir: string
beforeAll(async () => {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
})
afterAll(() => void server.close())
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'almanac-hostile-'))
  mkdirSync(join(dir, 'out', '.git'), { recursive: true })
  writeFileSync(join(dir, 'out', '.git', 'config'), 'mine')
  plain = null
  return () => rmSync(dir, { recursive: true, force: true })
})

const everything = () => readdirSync(dir, { recursive: true }).map(String).sort()
const retrieve = () => openRemoteOrg(base, token).retrieve(join(dir, 'out'), undefined, () => undefined)
const refused = { code: expect.stringMatching(/^(integration\.unreadable|files\.)/) as string }

describe('a retrieve from a hostile org', () => {
  const evil: [string, ...unknown[]][] = [
    ['.git/config', { path: '.git/config', text: '[core]\n\tfsmonitor = "touch pwned"' }],
    ['.git/config as a component', { path: '.git/config', text: component('.git', 'config') }],
    ['a path beside a component', { path: '.git/hooks/post-checkout', text: good.text }],
    ['an absolute path', { path: '/tmp/x.json', text: good.text }],
    ['a drive', { path: 'C:\\x.json', text: good.text }],
    ['a path upwards', { path: '../x.json', text: good.text }],
    ['a path upwards within', { path: 'value_set/../../x.json', text: good.text }],
    ['backslashes', { path: 'value_set\\good.json', text: good.text }],
    ['NUL', { path: 'value_set/good.json\0', text: good.text }],
    ['another place', { path: 'value_set/better.json', text: good.text }],
    ['capitals', { path: 'VALUE_SET/good.json', text: good.text }],
    ['one path twice', good, good],
    ['a key upwards', { path: 'value_set/../x.json', text: component('value_set', '../x') }],
    ['a key with NUL', { path: 'value_set/a\0.json', text: component('value_set', 'a\0') }],
    ['a key in capitals', good, { path: 'value_set/Good.json', text: component('value_set', 'Good') }],
    [
      'a very long key',
      { path: `value_set/${'x'.repeat(5000)}.json`, text: component('value_set', 'x'.repeat(5000)) },
    ],
    [
      'an entry upwards',
      { path: 'config_entry/a/../../x.json', text: component('config_entry', 'a.../../x') },
    ],
    ['a type of the prototype', { path: '__proto__/x.json', text: component('__proto__', 'x') }],
    ['a component that is not JSON', { path: 'value_set/good.json', text: '#!/bin/sh' }],
    ['a line that is not a file', '{"path":7}'],
    ['a line that is not JSON', 'rm -rf /'],
    ['a lineage that is code', { path: 'almanac.json', text: '{"lineage":"$(touch x)","generation":3}' }],
    ['a generation that is text', { path: 'almanac.json', text: '{"lineage":"a","generation":"../1"}' }],
  ]
  it.each(evil)('writes nothing for %s', async (_, ...sent) => {
    const before = everything()
    lines = [manifest, ...sent]
    await expect(retrieve()).rejects.toMatchObject(refused)
    expect(everything()).toEqual(before)
    expect(readFileSync(join(dir, 'out', '.git', 'config'), 'utf8')).toBe('mine')
  })

  it('writes nothing if a response ends before its almanac.json', async () => {
    const before = everything()
    lines = [good]
    await expect(retrieve()).rejects.toMatchObject(refused)
    expect(everything()).toEqual(before)
  })

  it('writes what is in its place, and shows no token', async () => {
    lines = [manifest, { ...good, text: component('value_set', 'good').replace('"x"', `"${token}"`) }]
    await retrieve()
    expect(everything()).toContain('out/value_set/good.json')
    expect(readFileSync(join(dir, 'out/value_set/good.json'), 'utf8')).not.toContain(token)
    plain = JSON.stringify({
      code: 'access.denied',
      detail: token,
      details: [{ message: `Bearer ${token}` }],
    })
    const error = await retrieve().catch((each: unknown) => each as Error & { details: unknown })
    expect(JSON.stringify([(error as Error).message, (error as { details: unknown }).details])).not.toContain(
      token,
    )
  })

  it.skipIf(process.platform === 'win32')('follows no link below the directory', async () => {
    symlinkSync(join(dir, 'out', '.git'), join(dir, 'out', 'value_set'))
    lines = [manifest, good]
    await expect(retrieve()).rejects.toMatchObject(refused)
    expect(readdirSync(join(dir, 'out', '.git'))).toEqual(['config'])
  })

  it('is refused if it is too long or too slow', async () => {
    const slow = new Response(
      new ReadableStream({
        pull: async (controller) => {
          await new Promise((resolve) => setTimeout(resolve, 20))
          controller.enqueue(new Uint8Array(1))
        },
      }),
    )
    const read = async (response: Response, limits: Parameters<typeof bodyOf>[2]) => {
      for await (const piece of bodyOf(response, base, limits)) void piece
    }
    await expect(read(slow, { bytes: 100, graceMs: 100, bytesPerSecond: 1000 })).rejects.toMatchObject({
      code: 'integration.timeout',
    })
    const long = new Response('x'.repeat(101))
    await expect(read(long, { bytes: 100, graceMs: 100, bytesPerSecond: 1 })).rejects.toMatchObject({
      code: 'integration.too_large',
    })
  })
})

it.each(['../../x', '/tmp/x', '.git/config', 'A', 'a\0'])('an import names no path either: %s', (key) => {
  const before = everything()
  const change = (after: object) => ({ after }) as never
  const evil = { type: 'value_set', key, label: 'x', body: {} }
  const files = [change(JSON.parse(good.text) as object), change(evil)]
  expect(() => writeComponentFiles(join(dir, 'out'), files as never)).toThrow(
    expect.objectContaining({ code: 'files.invalid' }) as Error,
  )
  expect(everything()).toEqual(before)
})
