// The sample: it can be created anywhere and on any day without a finding, and its entries come from its messy table.
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { sampleEntries } from '../../resources/make-sample.ts'
import { almanac, root, scratch, serving } from './almanac.ts'

const sample = join(root, 'resources', 'sample-org')
const dir = scratch()
const org = join(dir, 'org')
const at = (...args: string[]) => almanac([...args, '--org', org])

interface Listed {
  code: string
  facts: { line?: number }
}

describe('the sample org', () => {
  it('has a history, results, users and no drafts', () => {
    expect(almanac(['init', org, '--sample', '--json']).json()).toMatchObject({
      name: 'Kestrel Optics',
      environment: 'dev',
      generation: 3,
    })
    const { generations } = at('generations', '--json').json() as unknown as {
      generations: { counts: { added: number; changed: number } }[]
    }
    expect(generations.map(({ counts }) => [counts.added, counts.changed])).toEqual([
      [1, 1],
      [396, 1],
      [2, 0],
    ])
    expect(at('results', '--json').json()['results']).toHaveLength(3)
    expect(at('drafts', '--json').json()).toEqual({ drafts: [] })
  })

  it('has one flag about to expire and one that is frozen, on any day', () => {
    const expiry = (flag: string): number => {
      const { rows } = at('audit', '--component', `feature_flag/${flag}`, '--json').json() as unknown as {
        rows: { at: string; after: { body: { expiresOn: string } } }[]
      }
      return Math.round(
        (Date.parse(rows[0]!.after.body.expiresOn) - Date.parse(rows[0]!.at.slice(0, 10))) / 86_400_000,
      )
    }
    expect([expiry('reverse_charge_hint'), expiry('legacy_rounding')]).toEqual([9, -20])
  })

  it("changes a rate of next year: today's value stays, an old result replays, and a recompute gives the new value", () => {
    const { results } = at('results', '--json').json() as unknown as {
      results: { id: string; label: string }[]
    }
    const offer = results.find(({ label }) => label.startsWith('Offer'))!
    expect(at('replay', '--result', offer.id, '--json').json()).toMatchObject({
      identical: true,
      value: '"23798.81"',
    })
    expect(at('recompute', '--result', offer.id, '--json').json()).toMatchObject({
      changed: true,
      value: '"23998.8"',
    })
    const year = new Date().getUTCFullYear()
    const rate = (day: string) =>
      at('resolve', 'vat_rate', '--key', 'DE', '--as-of', day, '--field', 'rate').out
    expect([rate(`${year}-12-31`), rate(`${year + 1}-01-01`)]).toEqual(['0.1900\n', '0.2000\n'])
  })

  it('is valid on its own', () => {
    const { code, json } = almanac(['validate', join(sample, 'components'), '--json'])
    expect(code).toBe(0)
    // Its flags have dates relative to the day on which they were written; init moves them.
    const { findings } = json() as unknown as { findings: Listed[] }
    expect(findings.filter((finding) => finding.code !== 'flag.expired')).toEqual([])
  })

  it('has exactly the entries that result from its table and the named repairs', () => {
    const folder = join(sample, 'components', 'config_entry', 'vat_rate')
    const there = readdirSync(folder).filter((name) => name !== 'test_de.json')
    const made = sampleEntries()
    expect(there.map((name) => `config_entry/vat_rate/${name}`).sort()).toEqual([...made.keys()].sort())
    for (const [path, text] of made) expect(readFileSync(join(sample, 'components', path), 'utf8')).toBe(text)
  })

  it('has a messy table for trying the import: its bad rows are reported by line', () => {
    const file = join(sample, 'import', 'vat-messy.csv')
    const imported = at(
      'import',
      'vat_rate',
      file,
      '--map',
      join(sample, 'import', 'vat-messy.map.json'),
      '--json',
    )
    expect(imported.code).toBe(1)
    const { findings, changes } = imported.json() as unknown as {
      findings: Listed[]
      changes: { kind: string }[]
    }
    expect(
      findings.filter(({ code }) => code.startsWith('import.')).map(({ code, facts }) => [code, facts.line]),
    ).toEqual([
      ['import.date', 244],
      ['import.repeated', 199],
    ])
    // The five gaps that the sample closed, and the end of Germany's rate before the invented one.
    expect(changes.map(({ kind }) => kind)).toEqual(Array.from({ length: 6 }, () => 'changed'))
  })

  it('takes the tour of the README to a new generation, with choices by the user', () => {
    const choices = [
      'config.range_gap=extend_earlier',
      'config.range_gap:HR=extend_later',
      'config.range_overlap=end_earlier',
    ]
    const repairs = choices.flatMap((choice) => ['--repair', choice])
    const readme = readFileSync(join(root, 'README.md'), 'utf8')
    for (const choice of choices) expect(readme).toContain(`--repair ${choice}`)
    const applied = at('apply', '--drafts', ...repairs, '--json')
    expect(applied.json()).toMatchObject({ generation: 4 })
    const day = (entry: string) =>
      at('resolve', 'vat_rate', '--key', 'HR', '--as-of', entry, '--field', 'currency').out
    expect([day('2022-12-30'), day('2022-12-31')]).toEqual(['HRK\n', 'EUR\n'])
  })

  it('is created by serve if the folder does not contain an org', async () => {
    const { line, stop } = await serving([
      'serve',
      '--sample',
      '--studio',
      '--port',
      '0',
      '--org',
      join(dir, 'served'),
    ])
    expect(line['open']).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/session\?once=/)
    expect(await stop()).toBe(0)
  })
})
