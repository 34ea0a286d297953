// Approvals on the command line: submit, review, approve as another user, apply
// (docs/reference/pipeline-and-approvals.md).
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import { almanac, entry, invoice, scratch, serving, vatRate, writeComponents, type Ran } from './almanac.ts'

const dir = scratch()
const org = join(dir, 'org')
const at = (...args: string[]) => almanac([...args, '--org', org])
const DE = (rate: string) => entry('de_2007', 'DE', '2007-01-01', null, rate)
const changed = join(dir, 'changed')

const client = {
  ...{ type: 'integration_client', key: 'ines', label: 'Ines' },
  body: { authScheme: 'oauth2_client_credentials', runAs: 'ines' },
}

const password = 'correct horse battery'

interface Request {
  id: string
  state: string
  digest: string
  approvals: unknown[]
}

/** A command by Ines over a server: the operator of the folder is a different user. */
async function asInes(...args: string[]): Promise<Ran> {
  const { line, stop } = await serving(['serve', '--port', '0', '--org', org])
  const token = await tokenOfInes(line['listening']!)
  const ran = almanac([...args, '--org', line['listening']!, '--token', token])
  await stop()
  return ran
}

/** With her password. A token that the operator makes for her client would carry the operator. */
async function tokenOfInes(server: string): Promise<string> {
  const response = await fetch(`${server}/session/token`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ user: 'ines', password }),
  })
  return ((await response.json()) as { token: string }).token
}

beforeAll(() => {
  at('init', '--name', 'Prod', '--environment', 'prod')
  at('apply', writeComponents(join(dir, 'base'), [invoice, vatRate, DE('0.19')]))
  const added = ['user', 'add', 'ines', '--permission-set', 'administrator', '--password-stdin', '--org', org]
  expect(almanac(added, { input: password }).code).toBe(0)
  at('apply', writeComponents(join(dir, 'client'), [client]))
  expect(at('approvals', '1').out).toBe('The org requires one approval before an apply.\n')
  writeComponents(changed, [DE('0.2')])
})

describe('change requests on the command line', () => {
  it('are the only way to apply, for every user', () => {
    for (const args of [
      ['apply', changed],
      ['apply', changed, '--as', 'ines'],
      ['rollback', '1'],
    ]) {
      const { code, err } = at(...args)
      expect([code, err]).toEqual([1, expect.stringMatching(/^deploy\.approval_required .*almanac request/)])
    }
    const table = join(dir, 'rates.csv')
    writeFileSync(table, 'territory,from,rate\nDE,2030-01-01,0.22\n')
    const map = JSON.stringify({ key: 'territory', from: 'from', values: { rate: 'rate' } })
    expect(at('import', 'vat_rate', table, '--map', map, '--apply').err).toContain('deploy.approval_required')
    expect(at('apply', changed, '--json').json()).toMatchObject({
      code: 'deploy.approval_required',
      status: 409,
    })
  })

  it('go from one user to another and are applied', async () => {
    const request = at(
      'request',
      changed,
      '--rationale',
      'The rate rises',
      '--json',
    ).json() as unknown as Request
    expect(request).toMatchObject({ state: 'open', title: 'The rate rises', approvals: [], findings: [] })
    expect(at('requests').out).toMatch(
      new RegExp(`${request.id} +open +0 of 1 +admin \\(.+\\) +1 changed +The rate rises`),
    )
    const shown = at('requests', 'show', request.id).out
    expect(shown).toContain('0.1900 → 0.2000')
    expect(shown).toContain(request.digest)

    const own = at('approve', request.id, '--digest', request.digest)
    expect([own.code, own.err]).toEqual([1, expect.stringMatching(/^access\.own_approval/)])
    expect(at('apply', '--request', request.id).err).toMatch(
      /^deploy\.approval_required .*0 of the 1 approvals/,
    )
    expect(at('approve', request.id, '--as', 'ines').code).toBe(2)
    const alias = at('approve', request.id, '--digest', request.digest, '--as', 'ines')
    expect([alias.code, alias.err]).toEqual([
      1,
      expect.stringMatching(/^access\.own_approval .*cannot approve it as ines either/),
    ])
    const approved = await asInes('approve', request.id, '--digest', request.digest, '--json')
    expect(approved.json()).toMatchObject({
      state: 'approved',
      approvals: [{ approver: 'ines', counts: true }],
    })
    expect(at('comment', request.id, 'Thank you').code).toBe(0)

    const applied = at('apply', '--request', request.id, '--json')
    expect(applied.json()).toMatchObject({
      generation: 4,
      changes: [{ id: 'config_entry/vat_rate.de_2007' }],
    })
    expect(at('requests', '--state', 'applied', '--json').json()).toMatchObject({
      requests: [{ id: request.id }],
    })
    expect(at('apply', changed).out).toMatch(/Nothing changed/)
  })

  it('roll back, wait for a date, are rejected and withdrawn', () => {
    const back = at('request', '--rollback', '2', '--on', '2099-01-01', '--json').json() as unknown as Request
    expect(back).toMatchObject({ rollbackTo: 2, applyOn: '2099-01-01' })
    expect(at('schedule', back.id, 'none').out).toMatch(/is open: approvals 0 of 1\.$/m)
    expect(at('schedule', back.id, '2001-01-01').err).toMatch(/^request\.invalid .*is in the past/)
    expect(at('reject', back.id, '--as', 'ines').code).toBe(2)
    expect(at('reject', back.id, '--reason', 'Not now', '--as', 'ines').out).toMatch(/is rejected/)
    expect(at('withdraw', back.id).err).toMatch(/^conflict\.request_state/)
    expect(at('requests', 'show', 'none').err).toMatch(/^change_request\.not_found/)
    expect([at('requests', 'shwo').code, at('requests', '--state', 'opne').code]).toEqual([2, 2])
    expect(at('request', changed, '--rollback', '2').code).toBe(2)
  })

  it('work the same over a server', async () => {
    const token = at('token').out.trim()
    const { line, stop } = await serving(['serve', '--port', '0', '--org', org])
    const there = (...args: string[]) =>
      almanac([...args, '--org', line['listening']!, '--token', token], { env: {} })
    const next = writeComponents(join(dir, 'next'), [DE('0.21')])
    expect(there('apply', next).err).toMatch(/^deploy\.approval_required/)
    const request = there('request', next, '--title', 'Next', '--json').json() as unknown as Request
    expect(request).toMatchObject({ state: 'open', title: 'Next' })
    expect(there('requests', 'show', request.id).out).toContain('0.2000 → 0.2100')
    const approveBy = (approver: string) =>
      almanac([
        ...['approve', request.id, '--digest', request.digest, '--json'],
        ...['--org', line['listening']!, '--token', approver],
      ]).json()
    expect(approveBy(at('token', '--client', 'ines').out.trim())).toMatchObject({
      code: 'access.own_approval',
    })
    approveBy(await tokenOfInes(line['listening']!))
    expect(there('requests', '--state', 'approved', '--json').json()).toMatchObject({
      requests: [{ id: request.id }],
    })
    expect(there('apply', '--request', request.id, '--json').json()).toMatchObject({ generation: 5 })
    expect(there('approvals', '0').out).toMatch(
      /^The org requires one approval before an apply\.\nLowering the number requires the approvals currently in force\./,
    )
    expect(await stop()).toBe(0)
  })

  it('are required by the sample in production, where another user can approve', () => {
    const sample = join(dir, 'sample')
    almanac(['init', sample, '--sample', '--environment', 'prod'])
    expect(almanac(['approvals', '--org', sample, '--json']).json()).toEqual({ required: 1 })
    almanac(['init', join(dir, 'dev'), '--sample'])
    expect(almanac(['approvals', '--org', join(dir, 'dev'), '--json']).json()).toEqual({ required: 0 })
    const request = almanac([
      'request',
      '--rollback',
      '2',
      '--org',
      sample,
      '--json',
    ]).json() as unknown as Request
    const approve = [
      'approve',
      request.id,
      '--digest',
      request.digest,
      '--as',
      'ines',
      '--org',
      sample,
      '--json',
    ]
    expect(almanac(approve).json()).toMatchObject({ code: 'access.own_approval' })
  })
})
