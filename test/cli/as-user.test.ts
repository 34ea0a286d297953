// --as: the user must exist, sees and gets what they can see, and gets the same results as over HTTP
// (docs/reference/access.md).
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { operatorName } from '../../server/system/index.ts'
import { almanac, entry, invoice, scratch, serving, vatRate, writeComponents } from './almanac.ts'

const dir = scratch()
const org = join(dir, 'org')
const at = (...args: string[]) => almanac([...args, '--org', org])
const DE = (rate: string, to: string | null = null) => entry('de_2007', 'DE', '2007-01-01', to, rate)
/** The readers can see it; only administrators can edit it. */
const rates = { ...vatRate, body: { ...vatRate.body, read: { administrator: 'read', readers: 'read' } } }
const people = {
  sam: { set: 'shapers', permission: 'metadata.author' },
  aud: { set: 'auditors', permission: 'audit.read' },
  aut: { set: 'authors', permission: 'config.author' },
  red: { set: 'readers', permission: 'config.author' },
}
const client = (runAs: string) => ({
  type: 'integration_client',
  key: `${runAs}s`,
  label: runAs,
  body: { authScheme: 'oauth2_client_credentials', runAs },
})
const guess = join(dir, 'guess')

beforeAll(() => {
  expect(almanac(['init', org]).code).toBe(0)
  const sets = Object.values(people).map(({ set, permission }) => ({
    type: 'permission_set',
    key: set,
    label: set,
    body: { systemPermissions: [permission] },
  }))
  expect(at('apply', writeComponents(join(dir, 'sets'), sets)).code).toBe(0)
  at('user', 'add', 'nob')
  for (const [key, { set }] of Object.entries(people)) at('user', 'add', key, '--permission-set', set)
  const clients = ['nob', ...Object.keys(people)].map(client)
  const first = writeComponents(join(dir, 'first'), [invoice, rates, DE('0.16'), ...clients])
  expect(at('apply', first).code).toBe(0)
  expect(at('apply', writeComponents(join(dir, 'second'), [DE('0.19')])).code).toBe(0)
  writeComponents(guess, [DE('0.21')])
})

describe('a set that is hidden', () => {
  it.each(['nob', 'sam'])('shows no value in a diff to %s, but does to its operator', (user) => {
    expect(at('diff', guess, '--as', user, '--json').out).not.toContain('0.19')
    expect(at('diff', guess, '--json').out).toContain('0.1900')
  })

  it('shows no value in a conflict', () => {
    const refused = at('apply', guess, '--base', '3', '--as', 'nob', '--json')
    expect([refused.code, /0\.1[69]/.test(refused.out)]).toEqual([1, false])
    expect(at('apply', guess, '--base', '3', '--json').json()).toMatchObject({
      code: 'conflict.stale_generation',
      details: [{ theirs: { body: { values: { rate: '0.1900' } } } }],
    })
  })

  it('shows no field in a finding', () => {
    const typo = { ...DE('0'), body: { ...DE('0').body, values: { rat: '0.19' } } }
    const found = at('validate', writeComponents(join(dir, 'typo'), [typo]), '--as', 'nob', '--json')
    expect(found.json()).toMatchObject({ findings: [{ code: 'config.set_missing' }] })
    expect(found.out).not.toContain('rate"')
  })

  it('is omitted from the difference between generations', () => {
    expect(at('diff', '--from', '3', '--to', '4', '--as', 'sam', '--json').json()).toEqual({ changes: [] })
    expect(at('diff', '--from', '3', '--to', '4', '--json').out).toContain('0.1900')
  })

  it('counts no entries in where-used', () => {
    const used = ['where-used', 'config_set/vat_rate', '--json']
    expect(at(...used, '--as', 'sam').json()).toMatchObject({ entries: 0 })
    expect(at(...used).json()).toMatchObject({ entries: 1 })
  })
})

describe('--as returns what the server returns to that user', () => {
  let server: Awaited<ReturnType<typeof serving>>
  const tokens: Record<string, string> = {}
  beforeAll(async () => {
    server = await serving(['serve', '--org', org, '--port', '0'])
    for (const user of ['nob', 'sam', 'red', 'aud'])
      tokens[user] = at('token', '--client', `${user}s`).out.trim()
  })
  afterAll(() => server.stop())
  const over = (user: string, ...args: string[]) =>
    almanac([...args, '--org', server.line['listening']!, '--token', tokens[user]!])

  it.each(['sam', 'nob', 'red'])('in a retrieve of %s', (user) => {
    for (const generation of ['3', '4']) {
      const [here, there] = [join(dir, `here-${user}`), join(dir, `there-${user}`)]
      const local = at('retrieve', '--out', here, '--as', user, '--generation', generation, '--json').json()
      const remote = over(user, 'retrieve', '--out', there, '--generation', generation, '--json').json()
      expect({ ...local, out: null }).toEqual({ ...remote, out: null })
      // What one of them wrote, the other finds unchanged.
      expect(
        over(user, 'retrieve', '--out', here, '--generation', generation, '--json').json(),
      ).toMatchObject({
        written: 0,
        removed: 0,
      })
    }
    const rate = () => readFileSync(join(dir, `here-${user}`, 'config_entry/vat_rate/de_2007.json'), 'utf8')
    if (user === 'red') expect(rate()).toContain('0.1900')
    else expect(rate).toThrow('no such file')
  })

  it.each(['sam', 'red'])('in the difference between generations, to %s', (user) => {
    const changes = (ran: ReturnType<typeof at>) =>
      (ran.json()['changes'] as unknown as { id: string; after: unknown }[]).map(({ id, after }) => ({
        id,
        after,
      }))
    expect(changes(at('diff', '--from', '3', '--to', '4', '--as', user, '--json'))).toEqual(
      changes(over(user, 'diff', '--from', '3', '--to', '4', '--json')),
    )
  })

  it('in an export: hidden values are refused, and are not an empty table', () => {
    for (const refused of [at('export', 'vat_rate', '--as', 'sam'), over('sam', 'export', 'vat_rate')])
      expect([refused.code, refused.out, refused.err]).toEqual([
        1,
        '',
        expect.stringMatching(/^access\.denied/),
      ])
    for (const refused of [at('export', 'vat_rate', '--as', 'nob'), over('nob', 'export', 'vat_rate')])
      expect([refused.code, refused.out, refused.err]).toEqual([
        1,
        '',
        expect.stringMatching(/^config\.unknown_set/),
      ])
    const tables = [at('export', 'vat_rate', '--as', 'red'), over('red', 'export', 'vat_rate')]
    for (const { out } of tables) expect(out).toContain('0.1900')
  })

  it('in the audit', () => {
    const local = at('audit', '--limit', '50', '--as', 'aud', '--json')
    expect(local.json()).toEqual(over('aud', 'audit', '--limit', '50', '--json').json())
    expect(local.json()['rows']).toContainEqual(
      expect.objectContaining({ component: 'config_entry/vat_rate.de_2007', before: null, after: null }),
    )
    expect(local.out).not.toMatch(/0\.1[69]00/)
    expect(at('audit', '--limit', '50', '--json').out).toContain('0.1900')
    expect(at('audit', '--as', 'sam').err).toMatch(/audit\.read/)
  })

  it('page by page', () => {
    const many = Array.from({ length: 1100 }, (_, at) => ({
      type: 'value_set',
      key: `v${at}`,
      label: 'V',
      body: { values: [{ key: 'a', label: 'A', active: true }] },
    }))
    expect(at('apply', writeComponents(join(dir, 'many'), many)).code).toBe(0)
    const rows = at('audit', '--limit', '3000', '--as', 'aud', '--json').json()['rows'] as unknown as {
      id: string
    }[]
    expect(rows.length).toBeGreaterThan(1100)
    expect(new Set(rows.map(({ id }) => id)).size).toBe(rows.length)
    expect(at('audit', '--limit', '2', '--as', 'aud', '--json').json()).toEqual({ rows: rows.slice(0, 2) })
  })
})

describe('--repair', () => {
  // Ends before the active entry begins again; the rest of the key is not in the directory.
  const gap = join(dir, 'gap')
  const choose = (choice: string, ...more: string[]) =>
    at('validate', gap, '--repair', `config.range_gap=${choice}`, '--json', ...more)
  beforeAll(() => {
    const until = writeComponents(join(dir, 'until'), [
      DE('0.19', '2010-01-01'),
      entry('de_2010', 'DE', '2010-01-01', null, '0.17'),
    ])
    expect(at('apply', until).code).toBe(0)
    writeComponents(gap, [DE('0.21', '2009-01-01')])
  })

  it.each(['nob', 'sam', 'aut'])('copies nothing that %s cannot see', (user) => {
    const ran = choose('extend_later', '--as', user)
    expect(ran.json()['findings']).toContainEqual(expect.objectContaining({ code: 'repair.not_needed' }))
    expect(at('apply', gap, '--repair', 'config.range_gap=extend_later', '--as', user).out).not.toContain(
      '0.17',
    )
    expect(ran.out).not.toContain('0.17')
  })

  it('is refused if its author can see but not edit', () => {
    const refused = choose('extend_later', '--as', 'red')
    expect([refused.code, refused.json()]).toMatchObject([
      1,
      { code: 'access.denied', details: [{ permission: 'edit:vat_rate' }] },
    ])
  })

  it('applies a fix for a user who can edit', () => {
    expect(choose('extend_later', '--as', 'admin').json()).toEqual({ findings: [], total: 0 })
    expect(choose('extend_later').json()).toEqual({ findings: [], total: 0 })
  })
})

describe('drafts', () => {
  beforeAll(() => {
    const csv = 'land,rate,from\nDE,0.23,2026-01-01\n'
    const map = '{"key":"land","from":"from","values":{"rate":"rate"}}'
    const file = join(writeComponents(join(dir, 'csv'), [invoice]), 'rates.csv')
    writeFileSync(file, csv)
    const kept = at('import', 'vat_rate', file, '--map', map, '--json')
    expect(kept.json()).toMatchObject({ drafts: 1 })
    expect(at('import', 'vat_rate', file, '--map', map, '--as', 'nob', '--json').json()).toMatchObject({
      code: 'access.denied',
    })
  })

  it('are discarded only by users who can author, and only those that they can see', () => {
    expect(at('drafts', '--discard', '--as', 'nob', '--json').json()).toMatchObject({ code: 'access.denied' })
    expect(at('drafts', '--discard', '--as', 'aut', '--json').json()).toEqual({
      ...{ discarded: 0, left: 0 },
    })
    expect(at('drafts', '--json').json()['drafts']).toHaveLength(1)
    const discard = ['drafts', '--discard', '--as', 'red', '--json']
    expect(at(...discard).json()).toEqual({ discarded: 0, left: 1 })
    expect(at(...discard, '--of', 'nil').json()).toMatchObject({ code: 'user.not_found' })
    expect(at(...discard, '--of', 'admin').json()).toEqual({ discarded: 1, left: 0 })
    const { rows } = at('audit', '--kind', 'draft.discarded', '--json').json() as unknown as {
      rows: object[]
    }
    expect(rows).toMatchObject([{ actor: 'red', operator: operatorName(), before: { author: 'admin' } }])
    expect(at('drafts', '--json').json()).toEqual({ drafts: [] })
  })
})

it('a base that does not exist is refused', () => {
  expect(at('apply', guess, '--base', '99', '--json').json()).toMatchObject({
    code: 'generation.not_found',
    detail: expect.stringContaining('the newest is 6') as string,
  })
})

describe('--as', () => {
  it.each([['generations'], ['drafts'], ['token'], ['results']])(
    '%s requires a user who exists',
    (command) => {
      const refused = at(command, '--as', 'zzz')
      expect([refused.code, refused.err]).toEqual([1, expect.stringMatching(/^user\.not_found/)])
    },
  )

  it("issues a token of the user's own client, and of others with the permission to", () => {
    expect(at('token', '--as', 'nob', '--json').json()).toMatchObject({ code: 'access.denied' })
    expect(at('token', '--client', 'nobs', '--as', 'nob').out).toMatch(/^almanac_/)
    expect(at('token', '--as', 'admin').out).toMatch(/^almanac_/)
    expect(at('token').out).toMatch(/^almanac_/)
  })
})
