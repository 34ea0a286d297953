// External services on the command line: the description of an address is fetched once, and travels with a retrieve.
import { spawn, type ChildProcess } from 'node:child_process'
import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { ledger } from '../../server/external-services/fixture.ts'
import { almanac, scratch, serving, writeComponents } from './almanac.ts'

const dir = scratch()
const path = (name: string): string => join(dir, name)

let target: ChildProcess
let base: string

/** A process of its own: the commands of a test block this one. */
const serve = `
const { createServer } = require('node:http')
const server = createServer((_, response) => response.setHeader('content-type', 'application/json').end(process.argv[1]))
server.listen(0, '127.0.0.1', () => console.log(server.address().port))`

beforeAll(async () => {
  target = spawn(process.execPath, ['-e', serve, JSON.stringify(ledger)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const port = await new Promise<string>((ready) =>
    target.stdout!.once('data', (data) => ready(String(data).trim())),
  )
  base = `http://127.0.0.1:${port}`
})
afterAll(() => void target.kill())

it('a directory with an address is applied, retrieved, and applied elsewhere without the address', async () => {
  const [here, there] = [path('here'), path('there')]
  for (const org of [here, there]) expect(almanac(['init', org]).code).toBe(0)
  const components: { type: string; key: string; label: string; body: object }[] = [
    {
      ...{ type: 'external_credential', key: 'none', label: 'None' },
      body: { scheme: 'api_key', principals: [{ key: 'service' }] },
    },
    {
      ...{ type: 'named_credential', key: 'none', label: 'None' },
      body: { url: 'https://api.example.com', externalCredential: 'none', principal: 'service' },
    },
    {
      ...{ type: 'external_service', key: 'ledger', label: 'Ledger' },
      body: {
        namedCredential: 'none',
        spec: { format: 'openapi_3_1', source: `${base}/openapi.json` },
      },
    },
  ]
  const list = writeComponents(path('list'), components)
  const applied = almanac(['apply', list, '--org', here])
  expect([applied.code, applied.err]).toEqual([0, ''])
  expect(almanac(['apply', list, '--org', here]).out).toContain('Nothing changed')
  const out = path('out')
  expect(almanac(['retrieve', '--out', out, '--org', here]).code).toBe(0)
  expect(readdirSync(join(out, 'external_service'))).toEqual(['ledger.json', 'ledger.openapi.json'])
  const text = readFileSync(join(out, 'external_service/ledger.openapi.json'), 'utf8')

  target.kill()
  const pushed = path('pushed')
  expect(almanac(['init', pushed]).code).toBe(0)
  const server = await serving(['serve', '--org', pushed, '--port', '0'])
  try {
    const token = almanac(['token', '--org', pushed]).out.trim()
    const sent = almanac(['apply', out, '--base', '1', '--org', server.line['listening']!, '--token', token])
    expect([sent.code, sent.err]).toEqual([0, ''])
    const from = almanac([
      'retrieve',
      '--out',
      path('from'),
      '--org',
      server.line['listening']!,
      '--token',
      token,
    ])
    expect(from.code).toBe(0)
    expect(readFileSync(path('from/external_service/ledger.openapi.json'), 'utf8')).toBe(text)
  } finally {
    await server.stop()
  }

  rmSync(join(out, 'almanac.json'))
  const elsewhere = almanac(['apply', out, '--prune', '--org', there])
  expect([elsewhere.code, elsewhere.err]).toEqual([0, ''])
  expect(almanac(['diff', out, '--org', there]).code).toBe(0)
  const again = path('again')
  expect(almanac(['retrieve', '--out', again, '--org', there]).code).toBe(0)
  expect(readFileSync(join(again, 'external_service/ledger.openapi.json'), 'utf8')).toBe(text)
  expect(almanac(['check', '--org', there]).code).toBe(0)

  // A description that was edited is a difference, although spec.hash names the one before.
  const file = join(out, 'external_service/ledger.openapi.json')
  writeFileSync(file, text.replace('"number"', '"string"'))
  const edited = almanac(['diff', out, '--org', there])
  expect([edited.code, edited.out]).toEqual([1, expect.not.stringContaining('No differences')])
  expect(edited.err).toContain('service.hash')
  writeFileSync(file, text)

  // Where nothing is stored, the address cannot be reached any more.
  const missing = almanac(['validate', list, '--org', path('here'), '--json'])
  expect(missing.code).toBe(0)
  rmSync(join(out, 'external_service/ledger.openapi.json'))
  const third = path('third')
  expect(almanac(['init', third]).code).toBe(0)
  const failed = almanac(['apply', out, '--prune', '--org', third])
  expect(failed.code).toBe(1)
  expect(failed.err + failed.out).toContain('The description of ledger was not imported.')
})
