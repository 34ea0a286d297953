// A directory with faults, checked here and by a server: the same findings, and nothing is applied.
import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { almanac, entry, invoice, scratch, serving, vatRate, writeComponents } from './almanac.ts'

const dir = scratch()
const org = join(dir, 'org')
const faulty = join(dir, 'faulty')
let server: Awaited<ReturnType<typeof serving>>
let over: (...args: string[]) => ReturnType<typeof almanac>
const at = (...args: string[]) => almanac([...args, '--org', org])

const file = (path: string, content: string | Buffer): void => {
  const full = join(faulty, path)
  mkdirSync(join(full, '..'), { recursive: true })
  writeFileSync(full, content)
}
const text = (value: object): string => JSON.stringify(value, null, 2)

beforeAll(async () => {
  expect(almanac(['init', org]).code).toBe(0)
  const good = writeComponents(join(dir, 'good'), [
    invoice,
    vatRate,
    entry('at', 'AT', '1995-01-01', null, '0.2'),
  ])
  expect(at('apply', good).code).toBe(0)
  server = await serving(['serve', '--org', org, '--port', '0'])
  const token = at('token').out.trim()
  over = (...args) => almanac([...args, '--org', server.line['listening']!, '--token', token])

  const fees = { ...vatRate, key: 'fees', label: 'Fees' }
  const ofFees = (slug: string, body: object) => ({
    type: 'config_entry',
    key: `fees.${slug}`,
    label: slug,
    body: {
      set: 'fees',
      key: slug,
      scope: { kind: 'org' },
      effectiveFrom: '2020-01-01',
      effectiveTo: null,
      ...body,
    },
  })
  // Its entries must not be reported to lack a set, nor the rest of a key to have a gap.
  file('config_set/fees.json', text({ ...fees, body: { ...fees.body, scops: [] } }))
  file('config_entry/fees/a.json', text(ofFees('a', { values: { rate: '0.1' } })))
  file('config_entry/fees/b.json', text(ofFees('b', { values: { rate: 0.1 } })))
  // Only the place of this file shows its type and key.
  file('config_set/dues.json', '{ "type": ')
  file(
    'config_entry/dues/a.json',
    text({ ...ofFees('a', { values: { rate: '0.1' }, set: 'dues' }), key: 'dues.a' }),
  )
  file('config_entry/vat_rate/no_json.json', '{ "type": ')
  file(
    'config_entry/vat_rate/twice.json',
    text(entry('twice', 'BE', '2020-01-01', null, '0.1')).replace('"key"', '"key": "x", "key"'),
  )
  file('config_entry/vat_rate/latin.json', Buffer.from([0x7b, 0xe9, 0x7d]))
  file('config_entry/vat_rate/misplaced.json', text(entry('elsewhere', 'IT', '2020-01-01', null, '0.1')))
  file('config_entry/vat_rate/marked.json', `\ufeff${text(entry('marked', 'ES', '2020-01-01', null, '0.1'))}`)
  file('config_entry/vat_rate/ended.json', text(entry('ended', 'PT', '2020-01-01', '2021-01-01', '0.1')))
  file('config_sets/typo.json', '{}')
})
afterAll(() => server.stop())

describe('a directory with faults', () => {
  it('has the same findings here and over its URL', () => {
    const here = at('validate', faulty, '--json')
    const there = over('validate', faulty, '--json')
    expect(there.json()).toEqual(here.json())
    expect(there.code).toBe(here.code)
    const codes = new Set((here.json()['findings'] as unknown as { code: string }[]).map(({ code }) => code))
    for (const code of [
      'files.json',
      'files.encoding',
      'files.folder',
      'files.place',
      'files.byte_order_mark',
    ])
      expect(codes).toContain(code)
    for (const code of ['body.duplicate_property', 'body.unknown_property', 'config.range_end'])
      expect(codes).toContain(code)
    // A file that cannot be read is not reported as missing.
    expect(codes).not.toContain('config.set_missing')
  })

  it('is refused in the same way, with every finding', () => {
    const without = ({ correlationId: _, ...rest }: Record<string, unknown>) => rest
    const here = at('apply', faulty, '--json')
    for (const there of [over('apply', faulty, '--json'), over('apply', faulty, '--prune', '--json')])
      expect([there.code, without(there.json())]).toEqual([here.code, without(here.json())])
    // A user who cannot edit is shown that first; one who can is shown every finding.
    expect(here.json()).toMatchObject({
      code: 'access.denied',
      details: [{ permission: 'edit:dues' }, { permission: 'edit:fees' }],
    })
    for (const set of ['dues', 'fees']) rmSync(join(faulty, 'config_entry', set), { recursive: true })
    expect(without(over('apply', faulty, '--json').json())).toEqual(
      without(at('apply', faulty, '--json').json()),
    )
    expect(over('apply', faulty, '--json').json()).toMatchObject({ code: 'deploy.invalid' })
    expect(at('generations', '--json').json()).toMatchObject({ active: 2 })
  })

  it('shows the same difference', () => {
    const changes = (ran: ReturnType<typeof at>) =>
      (ran.json()['changes'] as unknown as { id: string; kind: string }[]).map(
        ({ id, kind }) => `${kind} ${id}`,
      )
    const [local, remote] = [
      at('diff', faulty, '--prune', '--json'),
      over('diff', faulty, '--prune', '--json'),
    ]
    expect(changes(remote).sort()).toEqual(changes(local).sort())
    expect(changes(local).filter((each) => each.startsWith('removed'))).toEqual([])
    expect(remote.code).toBe(local.code)
  })
})

it('an export is the same over its URL', () => {
  expect(over('export', 'vat_rate').out).toBe(at('export', 'vat_rate').out)
  expect(over('export', 'vat_rat').err).toMatch(/^config\.unknown_set/)
})

it.each([
  [['diff', '--from', '1', '--to', '2']],
  [['rollback', '1', '--dry-run']],
  [['revert', '2', '--dry-run']],
  [['where-used', 'object/invoice']],
  [['where-used', 'config_set/vat_rate']],
  [['resolve', 'vat_rate', '--key', 'AT', '--as-of', '2020-01-01', '--explain']],
])('%j has the same JSON over a URL', (args) => {
  const here = at(...args, '--json')
  const there = over(...args, '--json')
  expect([there.code, there.json()]).toEqual([here.code, here.json()])
})

describe('a directory with a warning', () => {
  it('is applied, and the warning is shown', () => {
    const marked = join(dir, 'marked')
    const path = join(marked, 'config_entry/vat_rate/es.json')
    mkdirSync(join(path, '..'), { recursive: true })
    writeFileSync(path, `\ufeff${text(entry('es', 'ES', '2020-01-01', null, '0.1'))}`)
    expect(over('apply', marked, '--json').json()).toMatchObject({
      generation: 3,
      findings: [{ code: 'files.byte_order_mark', facts: { file: 'config_entry/vat_rate/es.json' } }],
    })
  })

  it('has the place of each finding from the server', () => {
    const ended = join(dir, 'ended')
    writeComponents(ended, [entry('fi', 'FI', '2020-01-01', '2021-01-01', '0.1')])
    expect(over('apply', ended, '--json').json()).toEqual({
      ...at('apply', ended, '--json').json(),
      correlationId: expect.any(String) as string,
    })
    expect(over('apply', ended, '--json').json()).toMatchObject({
      details: [{ code: 'config.range_end', facts: { file: 'config_entry/vat_rate/fi.json', line: 1 } }],
    })
  })
})
