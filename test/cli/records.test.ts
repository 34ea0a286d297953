// The commands for records, over a folder and over the URL of a server.
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { billing } from '../../server/kernel/records/fixture.ts'
import { billingComponents, clerk } from '../support/billing-org.ts'
import { almanac, scratch, serving, writeComponents, type Ran } from './almanac.ts'

const dir = scratch()
const org = join(dir, 'org')
type Command = (...args: string[]) => Ran
const at: Command = (...args) => almanac([...args, '--org', org, '--as', 'ada'])
let over: Command
let stop: () => Promise<unknown>

beforeAll(async () => {
  expect(almanac(['init', org]).code).toBe(0)
  const client = {
    ...{ type: 'integration_client', key: 'ada_client', label: 'Ada' },
    body: { authScheme: 'api_key', runAs: 'ada', rateLimit: { sustained: 500, burst: 1000 } },
  }
  const operator = {
    ...{ type: 'permission_set', key: 'operator', label: 'Operator' },
    body: { systemPermissions: ['operations.manage'] },
  }
  const bodies = billing()
  const customer = bodies['object/customer'] as { fields: object[] }
  const phone = { key: 'phone', type: 'text', sensitive: true }
  const withPhone = { ...bodies, 'object/customer': { fields: [...customer.fields, phone] } }
  const components = [...billingComponents(withPhone), clerk(withPhone), operator]
  const folder = writeComponents(join(dir, 'components'), components as never)
  expect(almanac(['apply', folder, '--org', org])).toMatchObject({ code: 0 })
  const sets = ['clerk', 'operator', 'administrator'].flatMap((key) => ['--permission-set', key])
  expect(almanac(['user', 'add', 'ada', ...sets, '--org', org])).toMatchObject({ code: 0 })
  expect(almanac(['apply', writeComponents(join(dir, 'client'), [client] as never), '--org', org]).code).toBe(
    0,
  )
  const token = almanac(['token', '--client', 'ada_client', '--org', org]).out.trim()
  const server = await serving(['serve', '--org', org, '--port', '0'])
  stop = server.stop
  over = (...args) => almanac([...args, '--org', server.line['listening']!, '--token', token])
})
afterAll(() => stop())

describe.each([
  ['a folder', (...args: string[]) => at(...args)],
  ['a URL', (...args: string[]) => over(...args)],
])('records over %s', (place, run) => {
  const name = place === 'a folder' ? 'Ada' : 'Bo'
  const prefix = place === 'a folder' ? 'F' : 'U'

  it('are added, shown and queried', () => {
    const customer = run('records', 'insert', 'customer', `name=${name}`, 'country=DE').out.trim()
    const id = run(
      ...['records', 'insert', 'invoice', `number=${prefix}-1`, `customer=${customer}`],
      ...['tax_point=2020-08-15', 'net=100'],
    ).out.trim()
    expect(run('records', 'get', 'invoice', id, '--fields', 'total,customer.name').out).toBe(
      `field          value\nversion        1\ntotal          116.00\ncustomer.name  ${name}\n`,
    )
    const filter = `customer.name == "${name}"`
    const queried = run(
      'records',
      'query',
      'invoice',
      '--fields',
      'number,total',
      '--filter',
      filter,
      '--json',
    )
    expect(queried.json()).toMatchObject({
      records: [{ id, fields: { number: `${prefix}-1`, total: '116.00' } }],
    })
  })

  it('are refused with the problem, and a wrong call is a usage error', () => {
    const refused = run('records', 'insert', 'customer', 'name=Cy', 'colour=red')
    expect([refused.code, refused.err]).toEqual([
      1,
      expect.stringContaining('customer has no field "colour".'),
    ])
    expect(run('records', 'insert', 'customer', 'name').code).toBe(2)
    expect(run('records', 'query', 'invoice').code).toBe(2)
    expect(run('records', 'query', 'invoice', '--fields', 'number', '--order', 'number:up').code).toBe(2)
    expect(run('records', 'get', 'nothing', 'x')).toMatchObject({
      code: 1,
      err: expect.stringContaining('nothing') as string,
    })
  })

  it('are erased, with a reason that is in the audit', () => {
    const id = run('records', 'insert', 'customer', 'name=Di', 'country=DE', 'phone=0301234567').out.trim()
    expect(run('records', 'erase', 'customer', id).code).toBe(2)
    const erased = run('records', 'erase', 'customer', id, '--reason', `request ${prefix}`)
    expect([erased.code, erased.out]).toEqual([
      0,
      'Erased. 1 record and 1 change in the history contained such values.\nBackups that were made before still contain the values.\n',
    ])
    expect(run('records', 'get', 'customer', id, '--fields', 'phone').out).toMatch(/phone +erased:/)
    const audit = almanac(['audit', '--org', org, '--json']).json() as unknown
    expect(JSON.stringify(audit)).toContain(`request ${prefix}`)
    expect(run('records', 'erase', 'customer', 'x', '--reason', 'request')).toMatchObject({ code: 1 })
  })

  it('have evidence that verifies without an org', () => {
    const customer = run('records', 'insert', 'customer', 'name=Ed', 'country=DE').out.trim()
    const id = run(
      ...['records', 'insert', 'invoice', `number=${prefix}-E`, `customer=${customer}`],
      ...['tax_point=2020-08-15', 'net=100'],
    ).out.trim()
    const out = join(dir, `${prefix}-evidence.json`)
    expect(run('records', 'evidence', 'invoice', id, 'tax', '--out', out)).toMatchObject({ code: 0 })
    const verified = almanac(['verify', out])
    expect([verified.code, verified.out]).toEqual([0, expect.stringContaining('16')])
    expect(run('records', 'evidence', 'invoice', id, 'net')).toMatchObject({
      code: 1,
      err: expect.stringContaining('only the value of a stored formula has') as string,
    })
  })

  it('have values whose evidence is archived, one or all, exported, verified and removed', () => {
    const customer = run('records', 'insert', 'customer', 'name=Flo', 'country=DE').out.trim()
    const id = run(
      ...['records', 'insert', 'invoice', `number=${prefix}-A`, `customer=${customer}`],
      ...['tax_point=2020-08-15', 'net=100'],
    ).out.trim()
    const out = join(dir, `${prefix}-archived.json`)
    const one = run('archive', 'create', '--object', 'invoice', '--id', id, '--field', 'tax', '--out', out)
    expect(one).toMatchObject({ code: 0, out: expect.stringContaining(`archived and in ${out}`) as string })
    expect(almanac(['verify', out]).code).toBe(0)
    const all = run(
      ...['archive', 'create', '--object', 'invoice', '--filter', `number == "${prefix}-A"`],
      ...['--bound-before', '99', '--json'],
    )
    // Its roll-ups have no evidence.
    expect([all.code, all.json()]).toMatchObject([1, { kind: 'archive', done: 1, changed: 1, failed: 1 }])
    const { archives } = run('archive', 'list', '--json').json() as unknown as {
      archives: { id: string; values: number }[]
    }
    expect(archives.map(({ values }) => values)).toEqual([2, 1])
    const bundles = join(dir, `${prefix}-archived.ndjson`)
    const archive = archives[0]!.id
    expect(run('archive', 'export', archive, '--out', bundles)).toMatchObject({
      code: 0,
      out: `2 bundles are in ${bundles}. Verify them without an org with "almanac verify ${bundles}".\n`,
    })
    expect(almanac(['verify', bundles])).toMatchObject({
      code: 0,
      out: expect.stringMatching(
        /^valid {4}1: invoice\..*\nvalid {4}2: .*\nAll 2 bundles are valid\.\n/,
      ) as string,
    })
    const text = readFileSync(bundles, 'utf8')
    writeFileSync(bundles, text.replace('"Flo', '"Fly'))
    expect(almanac(['verify', bundles])).toMatchObject({
      code: 1,
      out: expect.stringContaining('1 of 2 bundles are not valid.') as string,
    })
    for (const each of archives) expect(run('archive', 'remove', each.id).code).toBe(0)
    expect(run('archive', 'export', archive, '--out', bundles)).toMatchObject({ code: 1 })
    expect(run('archive', 'create', '--object', 'invoice', '--id', id).code).toBe(2)
    run('rebind', '--object', 'invoice')
  })

  it('are recomputed and replayed', () => {
    const net = ['--filter', `number == "${prefix}-R"`]
    const customer = run('records', 'insert', 'customer', 'name=Di', 'country=DE').out.trim()
    run(
      ...['records', 'insert', 'invoice', `number=${prefix}-R`, `customer=${customer}`],
      ...['tax_point=2022-08-15', 'net=700'],
    )
    const rate = place === 'a folder' ? '0.2200' : '0.2300'
    const bodies = billing(rate)
    const changed = billingComponents({ 'config_entry/vat.de_2021': bodies['config_entry/vat.de_2021']! })
    const folder = writeComponents(join(dir, `rates-${prefix}`), changed as never)
    expect(almanac(['apply', folder, '--org', org])).toMatchObject({ code: 0 })
    expect(run('recompute', '--object', 'invoice', ...net).out).toBe(
      '1 record processed: 1 changed, 0 failed.\n',
    )
    expect(run('records', 'query', 'invoice', '--fields', 'tax', ...net, '--json').json()).toMatchObject({
      records: [{ fields: { tax: place === 'a folder' ? '154.00' : '161.00' } }],
    })
    expect(run('replay', '--object', 'invoice')).toMatchObject({
      code: 0,
      out: expect.stringContaining('0 not identical, 0 failed.') as string,
    })
    expect(run('rebind', '--object', 'invoice').out).toMatch(
      /^\d+ records? processed: \d+ changed, 0 failed\.\n$/,
    )
    expect(run('rebind', '--object', 'invoice').out).toBe('0 records processed: 0 changed, 0 failed.\n')
    const rebound = run('rebind', '--object', 'invoice', '--bound-before', '1', '--json').json()
    expect(rebound).toMatchObject({ kind: 'rebind', boundBefore: 1 })
    expect(run('rebind').code).toBe(2)
    expect(run('recompute', '--object', 'invoice', '--result', 'x').code).toBe(2)
    expect(run('recompute', '--object', 'unknown')).toMatchObject({
      code: 1,
      err: expect.stringContaining('unknown') as string,
    })
  })

  it('are imported and exported: what was exported is imported again without a change', () => {
    const csv = join(dir, `${prefix}.csv`)
    const rows = Array.from({ length: 250 }, (_, index) => `${prefix}-I${index},2021-01-01,${index}.50`)
    writeFileSync(csv, `number,tax_point,net\n${rows.join('\n')}\n${prefix}-I7,2021-01-01,1\n,2021-01-01,1\n`)
    const imported = run('records', 'import', 'invoice', csv, '--json')
    expect([imported.code, imported.json()]).toMatchObject([1, { saved: 250, failed: 2 }])
    const { failures } = imported.json() as unknown as { failures: { line: number }[] }
    expect(failures.map(({ line }) => line)).toEqual([252, 253])

    const again = run('records', 'import', 'invoice', csv, '--external-id', 'number', '--json')
    expect(again.json()).toMatchObject({ saved: 251, failed: 1 })

    const out = join(dir, `${prefix}-out.csv`)
    const filter = `number.startsWith("${prefix}-I")`
    const fields = 'number,tax_point,net,tax'
    const exported = run(
      ...['records', 'export', 'invoice', '--out', out, '--fields', fields, '--filter', filter],
      ...['--order', 'number'],
    )
    expect(exported).toMatchObject({ code: 0, out: `250 records of invoice are in ${out}.\n` })
    const lines = readFileSync(out, 'utf8').trimEnd().split('\n')
    expect([lines.length, lines[0]!.trim()]).toEqual([251, `id,${fields}`])

    const jsonl = join(dir, `${prefix}.jsonl`)
    run('records', 'export', 'invoice', '--out', jsonl, '--fields', 'number,net', '--filter', filter)
    const back = run('records', 'import', 'invoice', jsonl, '--json')
    expect(back.json()).toMatchObject({ saved: 250, failed: 0 })

    // Computed columns are not imported.
    const backFromCsv = run('records', 'import', 'invoice', out, '--json')
    expect(backFromCsv.json()).toMatchObject({ saved: 250, failed: 0, computed: ['tax'] })
  })
})

it('a formula that an apply adds is computed for the records of a folder', () => {
  const folderOrg = join(dir, 'filled')
  const here: Command = (...args) => almanac([...args, '--org', folderOrg, '--as', 'ada'])
  almanac(['init', folderOrg])
  const first = writeComponents(join(dir, 'first'), [...billingComponents(), clerk()] as never)
  almanac(['apply', first, '--org', folderOrg])
  almanac(['user', 'add', 'ada', '--permission-set', 'clerk', '--org', folderOrg])
  for (const net of ['1', '2'])
    here('records', 'insert', 'invoice', `number=N${net}`, 'tax_point=2022-01-01', `net=${net}`)
  const bodies = billing()
  const invoice = bodies['object/invoice'] as { fields: object[] }
  const double = {
    ...{ key: 'double', type: 'number', precision: 12, scale: 2 },
    formula: { expression: 'net * 2', stored: true },
  }
  const grown = { ...bodies, 'object/invoice': { ...invoice, fields: [...invoice.fields, double] } }
  const second = writeComponents(join(dir, 'second'), [...billingComponents(grown), clerk(grown)] as never)
  expect(almanac(['apply', second, '--org', folderOrg])).toMatchObject({ code: 0 })
  const found = here('records', 'query', 'invoice', '--fields', 'double', '--filter', 'double > 3', '--json')
  expect(found.json()).toMatchObject({ records: [{ fields: { double: '4.00' } }] })
})
