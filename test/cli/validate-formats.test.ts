// The formats of "validate" for other programs: JSON, GitHub annotations and SARIF. sarif-2.1.0-schema.json is the
// OASIS schema (2.1.0 rtm.5) without its descriptions.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { almanac, entry, invoice, scratch, vatRate, writeComponents } from './almanac.ts'

const dir = scratch()
/** Zod reads the format of a relative reference as that of an absolute URL, so paths have a test of their own. */
const sarifSchema = z.fromJSONSchema(
  JSON.parse(
    readFileSync(join(import.meta.dirname, 'sarif-2.1.0-schema.json'), 'utf8'),
    (name, value: unknown) => (name === 'format' && value === 'uri-reference' ? undefined : value),
  ) as never,
)

interface Result {
  ruleId: string
  ruleIndex: number
  level: string
  message: { text: string }
  locations: {
    physicalLocation?: {
      artifactLocation: { uri: string; uriBaseId?: string }
      region: { startLine: number; startColumn?: number }
    }
    logicalLocations: { fullyQualifiedName: string }[]
  }[]
  partialFingerprints: Record<string, string>
}

interface Run {
  tool: { driver: { name: string; rules: { id: string; help?: { text: string }; helpUri?: string }[] } }
  results: Result[]
}

/** Two errors, a warning, and a file with a name that has to be escaped. */
beforeAll(() => {
  const administrator = {
    type: 'permission_set',
    key: 'administrator',
    label: 'Administrator',
    body: { systemPermissions: ['platform.root'] },
  }
  const flag = {
    type: 'feature_flag',
    key: 'old_page',
    label: 'Old page',
    body: { owner: { user: 'mara' }, expiresOn: '2020-01-01', default: true },
  }
  writeComponents(join(dir, 'repo'), [
    administrator,
    invoice,
    vatRate,
    entry('de_1', 'DE', '2020-01-01', '2021-01-01', '0.16'),
    entry('de_2', 'DE', '2021-01-02', null, '0.19'),
    flag,
  ])
  mkdirSync(join(dir, 'repo', 'value_set'))
  writeFileSync(join(dir, 'repo', 'value_set', 'a,b: 50%.json'), '{\n  nope\n}')
})

const validate = (...args: string[]) => almanac(['validate', ...args], { cwd: dir })
const runOf = (out: string): Run => (JSON.parse(out) as { runs: [Run] }).runs[0]

describe('--format json', () => {
  it('is the same as --json, even for a failure', () => {
    const [format, flag] = [validate('repo', '--format', 'json'), validate('repo', '--json')]
    expect(format.code).toBe(1)
    expect(format.out).toBe(flag.out)
    expect(JSON.parse(validate('absent', '--format', 'json').out)).toMatchObject({ code: 'files.invalid' })
  })
})

describe('--format text', () => {
  it('is the default', () => {
    expect(validate('repo', '--format', 'text').out).toBe(validate('repo').out)
  })
})

describe('--format github', () => {
  it('prints one command for each finding, errors first, and keeps the exit code', () => {
    const { out, code } = validate('repo', '--format', 'github')
    expect(code).toBe(1)
    const kinds = out
      .trimEnd()
      .split('\n')
      .map((line) => /^::(\w+) /.exec(line)?.[1])
    expect(kinds).toEqual(['error', 'error', 'warning'])
  })

  it('names file, line, column, code and component', () => {
    const { out } = validate('repo', '--format', 'github')
    expect(out).toMatch(
      /^::error file=repo\/config_entry\/vat_rate\/de_1\.json,line=1,col=\d+,title=config\.range_gap::config_entry\/vat_rate\.de_1 \/body\/effectiveTo: /m,
    )
  })

  it('escapes what has a meaning in commands', () => {
    const { out } = validate('repo', '--format', 'github')
    expect(out).toMatch(
      /^::error file=repo\/value_set\/a%2Cb%3A 50%25\.json,line=2,col=3,title=files\.json::value_set\/a,b: 50%25\.json: /m,
    )
    expect(out).not.toContain('50%.json')
  })

  it('keeps a message with a line break in one command', () => {
    writeComponents(join(dir, 'lines'), [{ ...invoice, body: { 'a\n::error::b': 1, fields: [] } } as never])
    const { out } = validate('lines', '--format', 'github')
    expect(out.match(/^::/gm)).toHaveLength(1)
    expect(out.trimEnd().split('\n')).toHaveLength(1)
  })

  it('names paths below GITHUB_WORKSPACE', () => {
    const { out } = almanac(['validate', '../repo', '--format', 'github'], {
      cwd: join(dir, 'lines'),
      env: { GITHUB_WORKSPACE: dir },
    })
    expect(out).toContain('file=repo/config_entry/vat_rate/de_1.json,')
  })

  it('prints nothing for a directory without findings', () => {
    writeComponents(join(dir, 'fine'), [invoice])
    expect(validate('fine', '--format', 'github')).toMatchObject({ code: 0, out: '' })
  })
})

describe('--format sarif', () => {
  it.each(['repo', 'fine', 'lines'])('is valid SARIF 2.1.0 for %s', (name) => {
    const log: unknown = JSON.parse(validate(name, '--format', 'sarif').out)
    expect(sarifSchema.safeParse(log).error).toBeUndefined()
    expect(log).toMatchObject({ version: '2.1.0' })
  })

  it('is checked by a schema that refuses what is not SARIF', () => {
    const log = JSON.parse(validate('repo', '--format', 'sarif').out) as { runs: [Run] }
    log.runs[0].results[0]!.level = 'fatal'
    expect(sarifSchema.safeParse(log).success).toBe(false)
  })

  it('has a result for each finding, with level, place and component', () => {
    const { out, code } = validate('repo', '--format', 'sarif')
    expect(code).toBe(1)
    const { findings } = JSON.parse(validate('repo', '--json').out) as { findings: { code: string }[] }
    const { results } = runOf(out)
    expect(results.map(({ ruleId }) => ruleId)).toEqual(findings.map((finding) => finding.code))
    const gap = results.find(({ ruleId }) => ruleId === 'config.range_gap')!
    expect(gap).toMatchObject({
      level: 'error',
      locations: [
        {
          physicalLocation: {
            artifactLocation: { uri: 'repo/config_entry/vat_rate/de_1.json', uriBaseId: '%SRCROOT%' },
            region: { startLine: 1 },
          },
          logicalLocations: [{ fullyQualifiedName: 'config_entry/vat_rate.de_1/body/effectiveTo' }],
        },
      ],
    })
    expect(gap.message.text).toContain('1 Jan 2021')
    expect(results.find(({ ruleId }) => ruleId === 'flag.expired')!.level).toBe('warning')
  })

  it('escapes paths as URIs', () => {
    const uris = runOf(validate('repo', '--format', 'sarif').out).results.flatMap(({ locations }) =>
      locations.map(({ physicalLocation }) => physicalLocation?.artifactLocation.uri),
    )
    expect(uris).toContain('repo/value_set/a%2Cb%3A%2050%25.json')
    for (const uri of uris) expect(new URL(uri!, 'file:///root/').href).toBe(`file:///root/${uri}`)
  })

  it('has a rule with its description and its fix for each code that occurs', () => {
    const { tool, results } = runOf(validate('repo', '--format', 'sarif').out)
    const { rules } = tool.driver
    expect(rules.map(({ id }) => id)).toEqual([...new Set(results.map(({ ruleId }) => ruleId))].sort())
    for (const { ruleId, ruleIndex } of results) expect(rules[ruleIndex]!.id).toBe(ruleId)
    for (const rule of rules) {
      expect(rule.help?.text).toMatch(/\.$/)
      expect(rule.helpUri).toBeUndefined()
    }
  })

  it('keeps fingerprints when lines move, and has no two that are equal', () => {
    const fingerprints = (): string[] =>
      runOf(validate('moved', '--format', 'sarif').out).results.flatMap(({ partialFingerprints }) =>
        Object.values(partialFingerprints),
      )
    writeComponents(join(dir, 'moved'), [
      invoice,
      vatRate,
      entry('de_1', 'DE', '2021-01-01', '2020-01-01', '7%'),
    ])
    const before = fingerprints()
    const file = join(dir, 'moved', 'config_entry', 'vat_rate', 'de_1.json')
    writeFileSync(file, `\n\n${JSON.stringify(JSON.parse(readFileSync(file, 'utf8')), null, 4)}`)
    expect(fingerprints()).toEqual(before)
    expect(before.length).toBeGreaterThan(1)
    expect(new Set(before).size).toBe(before.length)
  })

  it('has no files for drafts', () => {
    almanac(['init', join(dir, 'org'), '--sample'])
    const { out } = validate('--drafts', '--format', 'sarif', '--org', join(dir, 'org'))
    expect(sarifSchema.safeParse(JSON.parse(out)).error).toBeUndefined()
    expect(runOf(out).results.filter(({ locations }) => locations[0]!.physicalLocation)).toEqual([])
  })
})

describe('usage', () => {
  it.each([
    [['--format', 'xml'], '--format must be one of text, json, github, sarif, not "xml".'],
    [['--format', 'sarif', '--json'], '--json and --format sarif contradict each other. Pass one of them.'],
  ])('refuses %j', (args, message) => {
    const { code, err } = validate('repo', ...args)
    expect(code).toBe(2)
    expect(err).toContain(message)
  })
})
