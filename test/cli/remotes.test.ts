// Remotes on the command line: added, tested, compared, pushed to by key and by URL.
import { rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { almanac, entry, invoice, scratch, serving, vatRate, writeComponents, type Ran } from './almanac.ts'

const dir = scratch()
const here = join(dir, 'here')
const there = join(dir, 'there')
const config = join(dir, 'config')
const env = { XDG_CONFIG_HOME: config }
const at = (...args: string[]): Ran => almanac([...args, '--org', here], { env })
const withInput = (input: string, ...args: string[]): Ran => almanac([...args, '--org', here], { env, input })
const DE = (rate: string) => entry('de_2007', 'DE', '2007-01-01', null, rate)
const password = 'correct horse battery'

let server: Awaited<ReturnType<typeof serving>>
let url: string

beforeAll(async () => {
  expect(at('init', here, '--name', 'Kestrel Here').code).toBe(0)
  expect(almanac(['init', there, '--name', 'Kestrel There', '--environment', 'prod']).code).toBe(0)
  const user = [
    'user',
    'add',
    'mara',
    '--permission-set',
    'administrator',
    '--password-stdin',
    '--org',
    there,
  ]
  expect(almanac(user, { input: `${password}\n` }).code).toBe(0)
  at('apply', writeComponents(join(dir, 'base'), [invoice, vatRate, DE('0.19')]))
  server = await serving(['serve', '--org', there, '--port', '0'])
  url = server.line['listening']!
})
afterAll(() => server.stop())

describe('almanac remote', () => {
  it('adds a remote with a secret read from stdin, and never shows the secret again', () => {
    const { code, out, err } = withInput(
      password,
      'remote',
      'add',
      'prod',
      '--url',
      url,
      '--user',
      'mara',
      '--secret-stdin',
      '--colour',
      'red',
    )
    expect([code, err]).toEqual([0, ''])
    expect(out).toMatch(/prod is Kestrel There \(prod\) at http:\/\/127/)
    expect(out).toMatch(/Reached in \d+ ms as mara: generation 1\./)
    const list = at('remote', 'list', '--json')
    expect(list.json()).toMatchObject({
      remotes: [
        { key: 'prod', colour: 'red', production: true, proof: { kind: 'password', principal: 'mara' } },
      ],
    })
    expect(list.out + out).not.toContain(password)
    expect(statSync(join(here, 'vault.sqlite')).mode & 0o777).toBe(0o600)
    expect(at('remote', 'list').out).toMatch(/prod +prod +prod +http:.*password mara +generation 1/)
  })

  const wrong: [string, string[], number, RegExp][] = [
    ['without an address', ['remote', 'add', 'x'], 2, /--url/],
    [
      'with two proofs',
      ['remote', 'add', 'x', '--url', 'http://127.0.0.1:1', '--client', 'a', '--user', 'b'],
      2,
      /cannot be combined/,
    ],
    [
      'with no colour of ours',
      ['remote', 'add', 'x', '--url', 'http://127.0.0.1:1', '--colour', 'pink'],
      2,
      /grey, blue/,
    ],
    [
      'where nobody listens',
      ['remote', 'add', 'x', '--url', 'http://127.0.0.1:1', '--secret-stdin'],
      1,
      /^integration\.unreachable .*ECONNREFUSED/,
    ],
    [
      'without a terminal to ask on',
      ['remote', 'add', 'x', '--url', 'http://127.0.0.1:1'],
      2,
      /--secret-stdin/,
    ],
    [
      'by a key that is taken',
      ['remote', 'add', 'prod', '--url', 'http://127.0.0.1:1', '--secret-stdin'],
      1,
      /^conflict\.exists/,
    ],
    ['that is not there', ['remote', 'test', 'nope'], 1, /^remote\.not_found .*remote list/],
    ['pinned to nothing', ['remote', 'pin', 'prod'], 2, /--lineage/],
    [
      'pinned to another org than there is',
      ['remote', 'pin', 'prod', '--lineage', 'x'],
      1,
      /^conflict\.lineage_changed/,
    ],
  ]
  it.each(wrong)('%s shows what to do', (_, args, code, words) => {
    const ran = withInput('token', ...args)
    expect([ran.code, ran.err]).toEqual([code, expect.stringMatching(words)])
    expect(ran.out).toBe('')
  })

  it('names the source of a message from a remote', () => {
    const unknown = withInput(
      'guess guess',
      'remote',
      'add',
      'x',
      '--url',
      url,
      '--user',
      'mara',
      '--secret-stdin',
      '--json',
    )
    expect(unknown.code).toBe(1)
    expect(unknown.json()).toMatchObject({
      class: 'integration',
      code: 'integration.sign_in',
      origin: 'remote:x',
    })
  })

  it('tests a remote, and shows the user that we are there', () => {
    expect(at('remote', 'test', 'prod', '--json').json()).toMatchObject({
      contact: { state: 'reached', user: { key: 'mara', name: 'mara' }, moved: 0 },
    })
  })
})

describe('almanac compare', () => {
  it('exits 3 if the two differ, and describes each difference', () => {
    const { code, out } = at('compare', '--remote', 'prod')
    expect(code).toBe(3)
    expect(out).toMatch(/config_entry\/vat_rate\.de_2007 +only in this org +none +0\.1900/)
    expect(out).toMatch(/2 the same, 3 only in this org\./)
    expect(at('compare', '--remote', 'prod', '--json').json()).toMatchObject({
      counts: { same: 2, only_local: 3 },
      drift: 0,
      rows: [
        { id: 'config_set/vat_rate' },
        { id: 'config_entry/vat_rate.de_2007' },
        { id: 'object/invoice' },
      ],
    })
  })
})

describe('almanac push', () => {
  it('to production requires the name of its org', () => {
    for (const args of [[], [join(dir, 'base')]]) {
      const { code, err } = at('push', ...args, '--remote', 'prod')
      expect([code, err]).toEqual([1, expect.stringMatching(/^remote\.not_confirmed .*"Kestrel There"/)])
    }
    expect(almanac(['generations', '--org', there, '--json']).json()).toMatchObject({ active: 1 })
  })

  it('without a directory pushes what differs here; with --pick, only the named components and what they need', () => {
    const one = at(
      'push',
      '--remote',
      'prod',
      '--confirm',
      'Kestrel There',
      '--pick',
      'config_entry/vat_rate.de_2007',
      '--rationale',
      'first',
    )
    expect([one.code, one.err]).toEqual([0, ''])
    expect(one.out).toMatch(/config_set\/vat_rate is included: /)
    expect(one.out).toMatch(/Generation 2 of prod is active\. 3 added/)
    expect(at('compare', '--remote', 'prod')).toMatchObject({ code: 0, out: '5 the same.\n' })
    const none = at('push', '--remote', 'prod', '--confirm', 'Kestrel There', '--json')
    expect(none.json()).toMatchObject({ state: 'done', outcome: { generation: null } })
    expect(almanac(['generations', '--org', there, '--json']).json()).toMatchObject({
      generations: [{ actor: 'mara', rationale: 'first' }, {}],
    })
  })

  it('pushes a directory to a remote by its key, and to a URL by a pin', () => {
    const raised = writeComponents(join(dir, 'raised'), [DE('0.2')])
    const byKey = at('push', raised, '--remote', 'prod', '--confirm', 'Kestrel There', '--json')
    expect(byKey.json()).toMatchObject({ generation: 3, changes: [{ id: 'config_entry/vat_rate.de_2007' }] })
    const token = almanac(['token', '--org', there]).out.trim()
    const byAddress = (...more: string[]): Ran =>
      at(
        'push',
        writeComponents(join(dir, 'again'), [DE('0.21')]),
        '--remote',
        url,
        '--token',
        token,
        '--confirm',
        'Kestrel There',
        ...more,
      )
    expect(byAddress('--json').json()).toMatchObject({ generation: 4 })
    expect(byAddress('--json').json()).toMatchObject({ generation: 4, changes: [] })
    // Another author, as far as the local org knows.
    const { code, out } = at('compare', '--remote', 'prod')
    expect(code).toBe(3)
    expect(out).toMatch(/vat_rate\.de_2007 +changed on the remote .*by others/)
    expect(out).toMatch(/1 component changed by others on the remote since generation 2/)
  })

  it('by URL asks for the same confirmation as by key', () => {
    const again = join(dir, 'again')
    const token = almanac(['token', '--org', there]).out.trim()
    for (const confirm of [[], ['--confirm', 'Kestrel']])
      for (const remote of [
        ['--remote', 'prod'],
        ['--remote', url, '--token', token],
      ]) {
        const { code, err } = at('push', again, ...remote, ...confirm)
        expect([code, err]).toEqual([1, expect.stringMatching(/^remote\.not_confirmed .*"Kestrel There"/)])
      }
    expect(almanac(['generations', '--org', there, '--json']).json()).toMatchObject({ active: 4 })
  })

  it('reports why the remote rejected it', () => {
    const { code, err } = at(
      'push',
      writeComponents(join(dir, 'gap'), [entry('de_1990', 'DE', '1990-01-01', '1995-01-01', '0.14')]),
      '--remote',
      'prod',
      '--confirm',
      'Kestrel There',
    )
    expect([code, err]).toEqual([1, expect.stringMatching(/deploy\.invalid/)])
  })

  it('creates a change request if the remote requires approvals', () => {
    expect(almanac(['approvals', '1', '--org', there]).code).toBe(0)
    const next = writeComponents(join(dir, 'next'), [DE('0.22')])
    const byList = at(
      'push',
      next,
      '--remote',
      'prod',
      '--confirm',
      'Kestrel There',
      '--title',
      'Rates',
      '--json',
    )
    expect(byList.json()).toMatchObject({ request: { state: 'open', title: 'Rates', author: 'mara' } })
    at('apply', writeComponents(join(dir, 'mine'), [DE('0.23')]))
    const byOrg = at(
      'push',
      '--remote',
      'prod',
      '--confirm',
      'Kestrel There',
      '--pick',
      'config_entry/vat_rate.de_2007',
    )
    expect([byOrg.code, byOrg.out]).toEqual([
      0,
      expect.stringMatching(/Change request \S+ of prod is waiting: 0 of 1 approval/),
    ])
    expect(almanac(['approvals', '0', '--org', there]).code).toBe(0)
  })

  it('loses nothing if the remote does not respond', async () => {
    await server.stop()
    const { code, err } = at('push', '--remote', 'prod', '--confirm', 'Kestrel There')
    expect([code, err]).toEqual([1, expect.stringMatching(/^integration\.unreachable/)])
    expect(at('compare', '--remote', 'prod').code).toBe(1)
    const byAddress = at('push', join(dir, 'base'), '--remote', url, '--token', 'x')
    expect([byAddress.code, byAddress.err]).toEqual([1, expect.stringMatching(/^integration\.unreachable/)])
    expect(at('remote', 'remove', 'prod').code).toBe(0)
    expect(at('remote', 'list', '--json').json()).toEqual({ remotes: [] })
    rmSync(config, { recursive: true, force: true })
  })
})

describe('almanac user', () => {
  it('gives a new password from stdin, and reports it', () => {
    const given = withInput('another good one\n', 'user', 'password', 'admin', '--password-stdin')
    expect([given.code, given.out]).toEqual([
      0,
      'Administrator has a new password and was signed out everywhere.\n',
    ])
    expect(withInput('short', 'user', 'password', 'admin', '--password-stdin').err).toMatch(/at least 12/)
    expect(withInput('', 'user', 'password', 'admin').code).toBe(2)
    expect(withInput('another good one', 'user', 'password', 'nobody', '--password-stdin').err).toMatch(
      /^user\.not_found/,
    )
  })
})
