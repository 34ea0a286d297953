// --as: the person is there, and sees and gets what is theirs (specification 5.4, 5.5; completions 7).
import { join } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import { almanac, entry, invoice, scratch, vatRate, writeComponents } from './almanac.ts'

const dir = scratch()
const org = join(dir, 'org')
const at = (...args: string[]) => almanac([...args, '--org', org])
const DE = (rate: string) => entry('de_2007', 'DE', '2007-01-01', null, rate)
const shapers = {
  type: 'permission_set',
  key: 'shapers',
  label: 'Shapers',
  body: { systemPermissions: ['metadata.author'] },
}
const nobs = {
  type: 'integration_client',
  key: 'nobs',
  label: 'Nobs',
  body: { authScheme: 'oauth2_client_credentials', runAs: 'nob' },
}
const guess = join(dir, 'guess')

beforeAll(() => {
  expect(almanac(['init', org]).code).toBe(0)
  at('user', 'add', 'nob')
  const first = writeComponents(join(dir, 'first'), [invoice, vatRate, DE('0.16'), shapers, nobs])
  expect(at('apply', first).code).toBe(0)
  at('user', 'add', 'sam', '--permission-set', 'shapers')
  expect(at('apply', writeComponents(join(dir, 'second'), [DE('0.19')])).code).toBe(0)
  writeComponents(guess, [DE('0.21')])
})

describe('a set that is hidden', () => {
  it.each(['nob', 'sam'])('shows no value in a difference to %s, and to its operator it does', (user) => {
    expect(at('diff', guess, '--as', user, '--json').out).not.toContain('0.19')
    expect(at('diff', guess, '--json').out).toContain('0.1900')
  })

  it('shows no value in a conflict', () => {
    const refused = at('apply', guess, '--base', '2', '--as', 'nob', '--json')
    expect([refused.code, /0\.1[69]/.test(refused.out)]).toEqual([1, false])
    expect(at('apply', guess, '--base', '2', '--json').json()).toMatchObject({
      code: 'conflict.stale_generation',
      details: [{ theirs: { body: { values: { rate: '0.1900' } } } }],
    })
  })

  it('shows no field by a finding', () => {
    const typo = { ...DE('0'), body: { ...DE('0').body, values: { rat: '0.19' } } }
    const found = at('validate', writeComponents(join(dir, 'typo'), [typo]), '--as', 'nob', '--json')
    expect(found.json()).toMatchObject({ findings: [{ code: 'config.set_missing' }] })
    expect(found.out).not.toContain('rate"')
  })

  it('is left out of what differs between generations', () => {
    expect(at('diff', '--from', '2', '--to', '3', '--as', 'sam', '--json').json()).toEqual({ changes: [] })
    expect(at('diff', '--from', '2', '--to', '3', '--json').out).toContain('0.1900')
  })
})

it('a base that is not there is refused', () => {
  expect(at('apply', guess, '--base', '99', '--json').json()).toMatchObject({
    code: 'generation.not_found',
    detail: expect.stringContaining('the newest is 3') as string,
  })
})

describe('--as', () => {
  it.each([['generations'], ['drafts'], ['token'], ['results']])('%s wants a person who is there', (verb) => {
    const refused = at(verb, '--as', 'zzz')
    expect([refused.code, refused.err]).toEqual([1, expect.stringMatching(/^user\.not_found/)])
  })

  it('gives a token of a client that runs as oneself, and of another with a right to it', () => {
    expect(at('token', '--as', 'nob', '--json').json()).toMatchObject({ code: 'access.denied' })
    expect(at('token', '--client', 'nobs', '--as', 'nob').out).toMatch(/^almanac_/)
    expect(at('token', '--as', 'admin').out).toMatch(/^almanac_/)
    expect(at('token').out).toMatch(/^almanac_/)
  })
})
