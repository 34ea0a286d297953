// Every command through the real command line: its result, its JSON, its refusals and exit codes.
import { readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import {
  almanac,
  binOfSources,
  entry,
  invoice,
  scratch,
  serving,
  vatRate,
  writeComponents,
} from './almanac.ts'

const dir = scratch()
const org = join(dir, 'org')
const rates = join(dir, 'rates')
const at = (...args: string[]) => almanac([...args, '--org', org])
const DE = [
  entry('de_2007', 'DE', '2007-01-01', '2021-01-01', '0.16'),
  entry('de_2021', 'DE', '2021-01-01', null, '0.19'),
]
const testDE = entry('de_test', 'DE', '2021-01-01', null, '0', { kind: 'environment', environment: 'test' })

beforeAll(() => {
  expect(almanac(['init', org, '--name', 'Kestrel', '--environment', 'dev']).code).toBe(0)
  writeComponents(rates, [invoice, vatRate, ...DE, testDE])
  const applied = at('apply', rates, '--rationale', 'the first rates', '--json')
  expect(applied.err).toBe('')
  expect(applied.json()).toMatchObject({ generation: 2, findings: [] })
})

describe('init', () => {
  it('makes an org once', () => {
    expect(almanac(['init', join(dir, 'other'), '--json']).json()).toMatchObject({
      environment: 'dev',
      generation: 1,
    })
    const again = almanac(['init', org])
    expect([again.code, again.err]).toEqual([
      1,
      expect.stringMatching(/^org\.exists {2}An org already exists in .* Choose a different folder\.\n$/),
    ])
  })
})

describe('usage', () => {
  it.each([
    [['aply']],
    [['resolve']],
    [['apply', rates, '--bogus']],
    [['apply']],
    [['resolve', 'vat_rate', '--scope', 'planet=mars']],
    [['rollback', 'two']],
    [['where-used', 'vat_rate']],
  ])('exits 2 for %j', (args) => expect(at(...args).code).toBe(2))

  it('suggests the intended command, and prints the envelope with --json', () => {
    expect(almanac(['aply']).err).toMatch(/Did you mean apply\?/)
    expect(almanac(['aply', '--json']).json()).toMatchObject({
      code: 'request.invalid',
      class: 'validation',
      origin: 'cli',
    })
    expect(at('apply', '--json').json()).toMatchObject({
      code: 'request.invalid',
      detail: expect.stringContaining('--drafts') as string,
    })
    expect(almanac(['--help'])).toMatchObject({
      code: 0,
      out: expect.stringContaining('where-used') as string,
    })
  })

  it('reports that the org does not exist, and how to create one', () => {
    const missing = almanac(['generations', '--org', join(dir, 'nowhere'), '--json'])
    expect(missing.code).toBe(1)
    expect(missing.json()).toMatchObject({
      code: 'org.not_found',
      status: 404,
      retriable: false,
      details: [],
    })
    expect(missing.err).toMatch(/almanac init/)
  })

  it('takes the org from the environment and from the current folder', () => {
    expect(almanac(['generations', '--json'], { env: { ALMANAC_ORG: org } }).json()).toHaveProperty('active')
    expect(almanac(['generations', '--json'], { cwd: org }).json()).toHaveProperty('active')
  })
})

describe('resolve', () => {
  const resolve = (...args: string[]) => at('resolve', 'vat_rate', '--key', 'DE', ...args)

  it('prints the bare value with --field, and everything as JSON', () => {
    expect(resolve('--as-of', '2020-12-31', '--field', 'rate').out).toBe('0.1600\n')
    expect(resolve('--as-of', '2021-01-01', '--json').json()).toEqual({
      set: 'vat_rate',
      key: 'DE',
      asOf: '2021-01-01',
      generation: 2,
      scope: { kind: 'org' },
      entry: 'vat_rate.de_2021',
      values: { rate: '0.1900' },
    })
  })

  it('accepts flags before arguments, and several pairs after one flag', () => {
    const early = at(
      'resolve',
      '--scope',
      'locale=de-AT',
      'environment=test',
      'vat_rate',
      '--key',
      'DE',
      '--as-of',
      '2024-01-01',
      '--field',
      'rate',
    )
    expect([early.err, early.out]).toEqual(['', '0.0000\n'])
  })

  it('accepts a scope and an older generation, and explains the resolution', () => {
    expect(resolve('--as-of', '2024-01-01', '--scope', 'environment=test', '--field', 'rate').out).toBe(
      '0.0000\n',
    )
    const { steps } = resolve('--as-of', '2024-01-01', '--explain', '--json').json() as unknown as {
      steps: { scope: string; matched: boolean }[]
    }
    expect(steps.map(({ scope, matched }) => [scope, matched])).toEqual([
      ['environment=dev', false],
      ['org', true],
    ])
    expect(resolve('--as-of', '2024-01-01', '--generation', '1').err).toMatch(/^config\.unknown_set/)
  })

  it.each([
    [['--as-of', '2000-01-01'], 1, 'config.not_effective', /2007-01-01/],
    [[], 1, 'config.as_of_required', /effective-dated/],
    [['--as-of', '2021-02-30'], 2, 'request.invalid', /--as-of .*2021-02-30/],
    [['--as-of', '2021-01-01', '--field', 'rat'], 1, 'request.invalid', /Did you mean "rate"/],
  ])('refuses %j with exit code %i and %s', (args, exit, code, words) => {
    const refused = resolve(...args, '--json')
    expect(refused.code).toBe(exit)
    expect(refused.json()).toMatchObject({ code, detail: expect.stringMatching(words) as string })
  })
})

describe('diff, validate and apply', () => {
  const changed = join(dir, 'changed')
  beforeAll(() => {
    writeComponents(changed, [entry('de_2021', 'DE', '2021-01-01', null, '0.21')])
  })

  it('diff exits 3 if there are differences and 0 otherwise', () => {
    expect(at('diff', rates)).toMatchObject({ code: 0, out: 'No differences.\n' })
    const differs = at('diff', changed, '--json')
    expect(differs.code).toBe(3)
    expect(differs.json()).toMatchObject({
      changes: [
        {
          kind: 'changed',
          id: 'config_entry/vat_rate.de_2021',
          values: [{ path: '/body/values/rate', before: '0.1900', after: '0.2100' }],
        },
      ],
    })
    expect(at('diff', changed).out).toMatch(/~ +VAT rate, DE, org +0\.1900 → 0\.2100 +from 1 Jan 2021/)
  })

  it('validate reports every fault, with the file and the line, and exits 1', () => {
    const broken = writeComponents(join(dir, 'broken'), [
      entry('fr_a', 'FR', '2020-01-01', '2021-01-01', '19%'),
      entry('fr_b', 'FR', '2021-02-01', null, '0.2'),
    ])
    writeFileSync(join(broken, 'config_entry', 'vat_rate', 'torn.json'), '{ "type": "config_entry",')
    const refused = at('validate', broken, '--json')
    expect(refused.code).toBe(1)
    const { findings } = refused.json() as unknown as {
      findings: { code: string; component: string; path: string; severity: string; related: unknown[] }[]
    }
    expect(findings.map(({ code }) => code).sort()).toEqual([
      'config.range_gap',
      'config.value_type',
      'files.json',
    ])
    for (const finding of findings)
      expect(finding).toMatchObject({
        severity: 'error',
        component: expect.any(String) as string,
        path: expect.any(String) as string,
        related: expect.any(Array) as unknown[],
      })
    const text = at('validate', broken)
    expect(text.out).toMatch(/torn\.json:1/)
    expect(text.out).toMatch(/0\.19 instead of "19%"/)
    expect(text.out).toMatch(/3 errors, 0 warnings\./)
    const applied = at('apply', broken, '--json')
    expect([applied.code, applied.json()]).toMatchObject([1, { code: 'deploy.invalid' }])
    expect(at('generations', '--json').json()).toMatchObject({ active: 2 })
  })

  it('validate needs no org', () => {
    const alone = almanac(['validate', rates, '--json'])
    expect(alone.json()).toMatchObject({
      findings: [{ code: 'reference.unknown' }, { code: 'reference.unknown' }],
    })
  })

  it('apply refuses a stale plan, and applies one generation', () => {
    const { lineage } = at('diff', changed, '--json').json()['plan'] as unknown as { lineage: string }
    const other = `${lineage}/jcs1:sha256:${'0'.repeat(64)}`
    expect(at('apply', changed, '--plan', other, '--json').json()).toMatchObject({
      code: 'conflict.stale_plan',
    })
    const applied = at('apply', changed, '--json').json()
    expect(applied).toMatchObject({ generation: 3, findings: [], changes: [{ kind: 'changed' }] })
    expect(typeof applied['ms']).toBe('number')
    expect(at('apply', changed)).toMatchObject({
      code: 0,
      out: 'Nothing changed; generation 3 stays active.\n',
    })
    expect(at('apply', rates, '--base', '2', '--json').json()).toMatchObject({ generation: 3 })
  })

  it('apply over a newer generation is a conflict that names both sides', () => {
    const mine = writeComponents(join(dir, 'mine'), [entry('de_2021', 'DE', '2021-01-01', null, '0.22')])
    const refused = at('apply', mine, '--base', '2', '--json')
    expect(refused.json()).toMatchObject({
      code: 'conflict.stale_generation',
      details: [{ id: 'config_entry/vat_rate.de_2021' }],
    })
  })

  it('rollback applies the content of an older generation', () => {
    expect(at('rollback', '2', '--json').json()).toMatchObject({
      generation: 4,
      changes: [{ kind: 'changed' }],
    })
    expect(at('diff', '--from', '2', '--to', '4').out).toBe('No differences.\n')
    expect(at('diff', '--from', '2', '--to', '3').code).toBe(3)
    expect(at('rollback', '99', '--json').json()).toMatchObject({ code: 'generation.not_found' })
  })
})

describe('access', () => {
  it('acts as another user with --as, with their permissions', () => {
    expect(at('user', 'add', 'jon', '--name', 'Jon', '--json').json()).toMatchObject({
      key: 'jon',
      password: 'none',
    })
    const more = writeComponents(join(dir, 'as'), [entry('be', 'BE', '2020-01-01', null, '0.21')])
    const refused = at('apply', more, '--as', 'jon', '--json')
    expect([refused.code, refused.json()]).toMatchObject([
      1,
      { code: 'access.denied', details: [{ permission: 'config.author' }, { permission: 'edit:vat_rate' }] },
    ])
    expect(at('resolve', 'vat_rate', '--key', 'DE', '--as-of', '2021-01-01', '--as', 'jon').err).toMatch(
      /^config\.unknown_set/,
    )
    expect(at('resolve', 'vat_rate', '--as', 'nobody').err).toMatch(/^user\.not_found/)
  })

  it('adds a user with a password from stdin, once', () => {
    const added = almanac(
      [
        'user',
        'add',
        'mara',
        '--password-stdin',
        '--permission-set',
        'administrator',
        '--org',
        org,
        '--json',
      ],
      { input: 'a long enough pass phrase\n', start: binOfSources },
    )
    expect(added.json()).toMatchObject({ key: 'mara', permissionSets: ['administrator'], password: 'set' })
    expect(added.out).not.toMatch(/scrypt|phrase/)
    expect(at('user', 'add', 'mara').err).toMatch(/^conflict\.exists/)
  })

  it('creates a secret that is shown once, and a token', () => {
    expect(at('client', 'secret', 'local', '--json').json()).toMatchObject({ client: 'local', valid: 1 })
    expect(at('client', 'secret', 'nobody').err).toMatch(/^component\.not_found/)
    expect(at('token', '--client', 'local').out).toMatch(/^almanac_\S+\n$/)
    expect(at('audit', '--json').out).not.toMatch(/almanac_/)
  })
})

describe('values that are proved later', () => {
  const file = join(dir, 'result.json')
  const bundle = join(dir, 'bundle.json')

  it('evaluates, replays byte for byte and recomputes', () => {
    const evaluated = at(
      'evaluate',
      'amount * config.vat_rate("DE").rate',
      '--input',
      'amount:number=100.00',
      '--as-of',
      '2022-01-01',
      '--store',
      'first',
      '--json',
    )
    expect(evaluated.json()).toMatchObject({ value: '"19"', binding: { generation: 4, asOf: '2022-01-01' } })
    writeFileSync(file, evaluated.out)
    const higher = writeComponents(join(dir, 'higher'), [entry('de_2021', 'DE', '2021-01-01', null, '0.23')])
    expect(at('apply', higher).code).toBe(0)
    expect(at('replay', file, '--json').json()).toMatchObject({
      value: '"19"',
      identical: true,
      differences: [],
    })
    const { results } = at('results', '--json').json() as unknown as {
      results: { id: string; label: string }[]
    }
    expect(results.map(({ label }) => label)).toEqual(['first'])
    expect(at('recompute', '--result', results[0]!.id, '--json').json()).toMatchObject({
      before: '"19"',
      value: '"23"',
      changed: true,
      binding: { generation: 5 },
    })
    expect(at('evidence', results[0]!.id, '--out', bundle).code).toBe(0)
  })

  it('does not replay a value that was altered', () => {
    writeFileSync(file, readFileSync(file, 'utf8').replace('\\"19\\"', '\\"18\\"'))
    expect(at('replay', file)).toMatchObject({
      code: 1,
      out: expect.stringContaining('not identical') as string,
    })
    expect(at('replay').code).toBe(2)
  })

  it('verifies evidence without an org, and refuses one altered byte', () => {
    const verified = almanac(['verify', bundle, '--json'])
    expect([verified.code, verified.json()]).toMatchObject([
      0,
      { ok: true, value: '"19"', fingerprint: expect.stringMatching(/^sha256:/) as string },
    ])
    expect(almanac(['verify', bundle, '--key', 'sha256:00']).code).toBe(1)
    writeFileSync(bundle, readFileSync(bundle, 'utf8').replace('2022-01-01', '2022-01-02'))
    expect(almanac(['verify', bundle])).toMatchObject({
      code: 1,
      out: expect.stringContaining('is not valid') as string,
    })
  })
})

describe('reading', () => {
  it('where-used lists places, and counts entries', () => {
    expect(at('where-used', 'object/invoice', '--json').json()).toMatchObject({
      usages: [{ from: 'config_set/vat_rate', path: '/body/asOfField/0' }],
      entries: 0,
    })
    expect(at('where-used', 'config_set/vat_rate', '--json').json()).toMatchObject({ entries: 3 })
    expect(at('where-used', 'config_set/vat_rates').err).toMatch(/^component\.not_found/)
  })

  it('types prints TypeScript', () => {
    expect(at('types').out).toMatch(/vat_rate\(territory: string\): VatRate/)
  })

  it('generations and audit show the history', () => {
    const { generations } = at('generations', '--limit', '2', '--json').json() as unknown as {
      generations: { generation: number; actor: string }[]
    }
    expect(generations.map(({ generation }) => generation)).toEqual([5, 4])
    expect(at('audit', '--component', 'config_entry/vat_rate.de_2021', '--json').json()).toMatchObject({
      rows: [
        { generation: 5 },
        { generation: 4 },
        { generation: 3 },
        { generation: 2, kind: 'added', rationale: 'the first rates' },
      ],
    })
  })

  it('export prints CSV', () => {
    expect(at('export', 'vat_rate').out.split('\r\n')[0]).toBe('key,scope,from,to,rate,label,entry')
    expect(at('export', 'vat_rat').err).toMatch(/^config\.unknown_set/)
  })

  it('retrieve is byte-stable, even after an apply of what was retrieved', () => {
    const [first, second] = [join(dir, 'r1'), join(dir, 'r2')]
    expect(at('retrieve', '--out', first, '--json').json()).toMatchObject({ generation: 5, removed: 0 })
    const stamp = statSync(join(first, 'config_set', 'vat_rate.json')).mtimeMs
    expect(at('apply', first, '--json').json()).toMatchObject({ generation: 5, changes: [] })
    expect(at('retrieve', '--out', first, '--json').json()).toMatchObject({ written: 0 })
    expect(statSync(join(first, 'config_set', 'vat_rate.json')).mtimeMs).toBe(stamp)
    expect(at('retrieve', '--out', second, '--generation', '2', '--json').json()).toMatchObject({
      generation: 2,
    })
    expect(JSON.parse(readFileSync(join(second, 'almanac.json'), 'utf8'))).toMatchObject({ generation: 2 })
    expect(at('retrieve').code).toBe(2)
  })
})

describe('serve, and commands over its URL', () => {
  it('prints its URL, does what a folder does, and stops on SIGTERM', async () => {
    const { line, stop } = await serving(['serve', '--org', org, '--port', '0'], {}, binOfSources)
    const url = line['listening']!
    expect(Object.keys(line)).toEqual(['listening'])
    try {
      expect(url).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/)
      const token = at('token').out.trim()
      const env = { ALMANAC_TOKEN: token, XDG_CONFIG_HOME: join(dir, 'config') }
      const over = (...args: string[]) => almanac([...args, '--org', url], { env })
      expect(over('resolve', 'vat_rate', '--key', 'DE', '--as-of', '2020-01-01', '--field', 'rate').out).toBe(
        '0.1600\n',
      )
      expect(almanac(['generations', '--org', url, '--json']).json()).toMatchObject({
        code: 'auth.required',
        detail: expect.stringContaining('ALMANAC_TOKEN') as string,
      })
      const away = join(dir, 'away')
      expect(over('retrieve', '--out', away, '--json').json()).toMatchObject({ generation: 5 })
      expect(at('retrieve', '--out', away, '--json').json()).toMatchObject({ written: 0, removed: 0 })
      expect(over('diff', away)).toMatchObject({ code: 0 })
      writeComponents(away, [entry('lu', 'LU', '2024-01-01', null, '0.17')])
      expect(over('validate', away, '--json').json()).toMatchObject({ findings: [] })
      const pushed = almanac(['push', away, '--remote', url, '--json'], { env })
      expect(pushed.json()).toMatchObject({ generation: 6, changes: [{ id: 'config_entry/vat_rate.lu' }] })
      expect(over('generations', '--json').json()).toMatchObject({ active: 6 })
      expect(over('where-used', 'object/invoice', '--json').json()).toMatchObject({
        usages: [{ from: 'config_set/vat_rate' }],
      })
      expect(over('types').out).toMatch(/VatRate/)
      const file = join(dir, 'more.csv')
      writeFileSync(file, 'code,from,rate\nMT,2004-01-01,0.18\nXX,2004-02-30,0.18\n')
      const map = JSON.stringify({ key: 'code', from: 'from', values: { rate: 'rate' } })
      const imported = over('import', 'vat_rate', file, '--map', map, '--json')
      expect([imported.code, imported.json()]).toMatchObject([
        1,
        { keys: 1, drafts: 1, findings: [{ code: 'import.date', facts: { line: 3 } }] },
      ])
      expect(over('drafts', '--json').json()).toMatchObject({
        drafts: [{ id: 'config_entry/vat_rate.mt_2004_01_01' }],
      })
      expect(at('drafts', '--discard', '--json').json()).toEqual({ discarded: 1, left: 0 })
      expect(over('rollback', '5', '--json').json()).toMatchObject({ generation: 7 })
    } finally {
      expect(await stop()).toBe(0)
    }
  })

  it('refuses a remote that is now a different org', async () => {
    const other = join(dir, 'remote')
    almanac(['init', other])
    const { line, stop } = await serving(['serve', '--org', other, '--port', '0'])
    try {
      const [url, token] = [line['listening']!, almanac(['token', '--org', other]).out.trim()]
      const config = join(dir, 'pins')
      writeComponents(join(dir, 'pushed'), [invoice])
      const env = { ALMANAC_TOKEN: token, XDG_CONFIG_HOME: config }
      expect(almanac(['push', join(dir, 'pushed'), '--remote', url, '--json'], { env }).json()).toMatchObject(
        { generation: 2 },
      )
      const pins = join(config, 'almanac', 'remotes.json')
      writeFileSync(pins, JSON.stringify({ [url]: 'another-org' }))
      const refused = almanac(['push', join(dir, 'pushed'), '--remote', url, '--json'], { env })
      expect([refused.code, refused.json()]).toMatchObject([1, { code: 'conflict.lineage_changed' }])
      expect(almanac(['push', join(dir, 'pushed'), '--remote', url, '--pin'], { env }).code).toBe(0)
    } finally {
      await stop()
    }
  })
})

// At the end, because it adds generations.
describe('a root client', () => {
  it('marks a client that bypasses all access checks', () => {
    const root = {
      ...{ type: 'permission_set', key: 'everything', label: 'Everything' },
      body: { systemPermissions: ['platform.root'] },
    }
    const robot = {
      ...{ type: 'integration_client', key: 'robot', label: 'Robot' },
      body: { authScheme: 'api_key', runAs: 'robot' },
    }
    expect(at('user', 'add', 'robot', '--name', 'Robot').code).toBe(0)
    expect(at('apply', writeComponents(join(dir, 'root'), [root, robot])).code).toBe(0)
    const mark = 'bypasses all access checks, because its user holds platform.root'
    expect(at('client', 'secret', 'robot').err).not.toContain(mark)
    expect(at('user', 'set', 'robot', '--permission-set', 'everything').code).toBe(0)
    expect(at('client', 'secret', 'robot').err).toContain(mark)
    expect(at('client', 'secret', 'robot', '--json').json()).toMatchObject({ isRoot: true })
    expect(at('audit', '--json').out).toContain('client.root_gained')
  })
})
