// almanac rollback, revert and request: --breaking confirms that values of records are lost, in a folder and over a URL.
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { billing, type Bodies } from '../../server/kernel/records/fixture.ts'
import { billingComponents, clerk } from '../support/billing-org.ts'
import { almanac, scratch, serving, writeComponents, type Ran } from './almanac.ts'

const dir = scratch()
const org = join(dir, 'org')
const at = (...args: string[]): Ran => almanac([...args, '--org', org])
let over: (...args: string[]) => Ran
let stop: () => Promise<unknown>
/** The generation that adds a field, to which a record then has a value. */
let added: number

function withPhone(): never {
  const all = billing() as Record<string, Bodies>
  const customer = all['object/customer']!
  const fields = [...(customer['fields'] as object[]), { key: 'phone', type: 'text' }]
  return { ...all, 'object/customer': { ...customer, fields } } as never
}
const folder = (name: string, components: object[]): string =>
  writeComponents(join(dir, name), components as never)

beforeAll(async () => {
  expect(almanac(['init', org]).code).toBe(0)
  expect(at('apply', folder('first', [...billingComponents(), clerk()])).code).toBe(0)
  expect(at('user', 'add', 'ada', '--permission-set', 'clerk').code).toBe(0)
  const client = { type: 'integration_client', key: 'deployer', label: 'Deployer' }
  const body = { authScheme: 'api_key', runAs: 'admin' }
  expect(at('apply', folder('client', [{ ...client, body }])).code).toBe(0)
  const applied = at(
    'apply',
    folder('second', [...billingComponents(withPhone()), clerk(withPhone())]),
    '--json',
  )
  added = Number(applied.json()['generation'])
  expect(at('records', 'insert', 'customer', 'name=Ada', 'country=DE', 'phone=1', '--as', 'ada').code).toBe(0)
  const token = at('token', '--client', 'deployer').out.trim()
  const server = await serving(['serve', '--org', org, '--port', '0'])
  stop = server.stop
  over = (...args) => almanac([...args, '--org', server.line['listening']!, '--token', token])
})
afterAll(() => stop())

const confirm = ['--breaking', 'object/customer']

describe.each([
  ['a folder', (...args: string[]) => at(...args)],
  ['a URL', (...args: string[]) => over(...args)],
])('older content over %s', (_, run) => {
  it('is refused if values would be lost, and planned as a warning once the object is named', () => {
    for (const command of [
      ['rollback', String(added - 1)],
      ['revert', String(added)],
    ]) {
      const refused = run(...command)
      expect([refused.code, refused.err]).toEqual([
        1,
        expect.stringContaining('phone in 1 record would be lost'),
      ])
      const other = run(...command, '--breaking', 'object/invoice')
      expect([other.code, other.err]).toEqual([1, expect.stringContaining('phone in 1 record would be lost')])
      const reviewed = run(...command, ...confirm, '--dry-run')
      expect([reviewed.code, reviewed.out]).toEqual([
        3,
        expect.stringContaining('phone in 1 record are lost'),
      ])
    }
  })

  it('is submitted once the object is named', () => {
    const [rollback, revert] = [
      ['request', '--rollback', String(added - 1)],
      ['request', '--revert', String(added)],
    ]
    expect(run(...rollback!).code).toBe(1)
    const submitted = run(...rollback!, ...confirm, '--json')
    expect(submitted.json()).toMatchObject({ findings: [{ severity: 'warning' }] })
    expect(run(...revert!).code).toBe(1)
    expect(run('withdraw', String(submitted.json()['id'])).code).toBe(0)
  })
})

it('a directory is not confirmed by --breaking', () => {
  const refused = at('request', folder('again', billingComponents()), ...confirm)
  expect([refused.code, refused.err]).toEqual([2, expect.stringContaining('--breaking needs --rollback')])
})

it('older content is applied once the object is named', () => {
  const done = over('rollback', String(added - 1), ...confirm, '--json')
  expect(done.json()).toMatchObject({ generation: added + 1, findings: [{ severity: 'warning' }] })
})
