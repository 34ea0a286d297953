// Secrets on the command line, in a folder and behind a server: read from stdin, staged, promoted, never shown.
import { cpSync } from 'node:fs'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { almanac, scratch, serving, writeComponents, type Ran, type RunOptions } from './almanac.ts'

const dir = scratch()
const org = join(dir, 'org')
let server: Awaited<ReturnType<typeof serving>>
let token: string

const credential = (key: string, mode: string, body: object) => ({
  ...{ type: 'external_credential', key, label: key },
  body: { ...body, principals: [{ key: 'service', mode, grantedTo: ['administrator'] }] },
})

beforeAll(async () => {
  expect(almanac(['init', org]).code).toBe(0)
  const components = writeComponents(join(dir, 'components'), [
    credential('bank', 'named', { scheme: 'basic' }),
    // In a header a key cannot have several lines.
    credential('mail', 'per_user', { scheme: 'api_key', in: 'query', name: 'key' }),
  ])
  expect(almanac(['apply', components, '--org', org]).code).toBe(0)
  server = await serving(['serve', '--org', org, '--port', '0'])
  token = almanac(['token', '--org', org]).out.trim()
})
afterAll(() => server.stop())

const local = (args: string[], options?: RunOptions): Ran => almanac([...args, '--org', org], options)
const remote = (args: string[], options?: RunOptions): Ran =>
  almanac([...args, '--org', server.line['listening']!, '--token', token], options)

describe.each([
  ['in a folder', local],
  ['behind a server', remote],
])('secrets %s', (_name, run) => {
  const set = (args: string[], input: string): Ran =>
    run(['credential', 'set', ...args, '--stdin', '--json'], { input })

  it('are written from stdin, staged and promoted', () => {
    const pair = (password: string) => JSON.stringify({ username: 'ada', password })
    for (const state of ['current', 'staged']) {
      const written = set(['bank', 'service'], pair(`mark-${state}`))
      if (run === local) expect([written.err, written.code]).toEqual(['', 0])
      expect(written.out).not.toContain('mark-')
    }
    const { credentials } = run(['credential', 'list', '--json']).json() as never as {
      credentials: { credential: string; principals: { secrets: { next: object | null }[] }[] }[]
    }
    expect(credentials.map((each) => each.credential)).toEqual(['bank', 'mail'])
    expect(credentials[0]!.principals[0]!.secrets[0]!.next).not.toBeNull()
    expect(run(['credential', 'list']).out).toMatch(
      /bank\s+service\s+basic\s+current \d+ \(username, password\); staged/,
    )
    expect(run(['credential', 'promote', 'bank', 'service', '--grace-hours', '2']).out).toMatch(/for 2 hours/)
    const again = run(['credential', 'promote', 'bank', 'service'])
    expect([again.code, again.err]).toEqual([1, expect.stringContaining('no staged secrets')])
  })

  it('of one name are the text as it is; those of a user name the user', () => {
    const pem = '-----BEGIN X-----\nmark\n-----END X-----'
    const written = set(['mail', 'service', '--slot', 'key', '--user', 'admin'], `${pem}\n`)
    expect([written.err, written.code]).toEqual(['', 0])
    expect(written.json()).toMatchObject({ slots: ['key'], user: 'admin' })
    const without = set(['mail', 'service'], pem)
    expect([without.code, without.err + without.out]).toEqual([1, expect.stringContaining('--user')])
  })

  it.each([
    ['a principal that does not exist', ['bank', 'servise'], '{}', 1, /"service"/],
    [
      'a text that is not JSON',
      ['bank', 'service'],
      'mark',
      2,
      /JSON with a text for each of username, password/,
    ],
    ['a value that is not text', ['bank', 'service'], '{"username":1}', 2, /JSON/],
    ['a name that is unknown', ['bank', 'service'], '{"username":"mark","pasword":"mark"}', 1, /"pasword"/],
  ])('are refused for %s, without the value', (_case, args, input, code, message) => {
    const refused = set(args, input)
    expect([refused.code, refused.err + refused.out]).toEqual([code, expect.stringMatching(message)])
    expect(refused.err + refused.out).not.toContain('mark')
  })

  it('are never arguments', () => {
    const refused = run(['credential', 'set', 'bank', 'service', 'a-secret'])
    expect(refused.code).toBe(2)
    const without = run(['credential', 'set', 'bank', 'service'], { input: '' })
    expect([without.code, without.err]).toEqual([2, expect.stringContaining('Pass --stdin')])
  })

  it('are encrypted again with a new key', () => {
    const before = run(['vault', 'status', '--json']).json() as never as {
      keys: { id: string }[]
      values: number
    }
    expect(before.values).toBeGreaterThan(2)
    expect(run(['vault', 'rewrap']).out).toMatch(new RegExp(`${before.values} values encrypted`))
    const after = run(['vault', 'status', '--json']).json() as never as typeof before
    expect(after).toMatchObject({ state: 'open', values: before.values, unopened: [] })
    expect(after.keys[0]!.id).not.toBe(before.keys[0]!.id)
    expect(run(['vault', 'status']).out).toMatch(/The vault is open\.\nvk_\S+ of .* wrapped by the file/)
  })

  it('are for users with the permission, and in the audit with the operator', () => {
    const { code } = run(['audit', '--kind', 'credential.secrets_promoted', '--json'])
    expect(code).toBe(0)
    const { rows } = run(['audit', '--component', 'credential/bank', '--json']).json() as never as {
      rows: { operator?: string }[]
    }
    expect(rows.some(({ operator }) => operator !== undefined)).toBe(true)
    expect(JSON.stringify(rows)).not.toContain('mark')
  })
})

it('a secret that was altered in the vault is named, and the exit code is 1', () => {
  const copy = join(dir, 'copy')
  cpSync(org, copy, { recursive: true })
  const db = new Database(join(copy, 'vault.sqlite'))
  const row = db.prepare(`SELECT content FROM secret WHERE user = 'admin'`).pluck().get() as string
  const content = JSON.parse(row) as { current: { slots: { version: number }[] } }
  content.current.slots[0]!.version += 1
  db.prepare(`UPDATE secret SET content = ? WHERE user = 'admin'`).run(JSON.stringify(content))
  db.close()
  const status = almanac(['vault', 'status', '--org', copy])
  expect([status.code, status.out]).toEqual([1, expect.stringMatching(/mail\s+service\s+admin\s+key/)])
})
