// A --repair that does not exist for any finding is a usage error, not a warning.
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { almanac, entry, invoice, scratch, vatRate, writeComponents } from './almanac.ts'

it('the repairs that exist are listed, for every command that repairs', () => {
  const dir = scratch()
  const org = join(dir, 'org')
  const files = writeComponents(join(dir, 'rates'), [
    invoice,
    vatRate,
    entry('de', 'DE', '2021-01-01', null, '0.19'),
  ])
  expect(almanac(['init', org]).code).toBe(0)
  for (const command of ['validate', 'diff', 'apply']) {
    const repairWith = (choice: string) => almanac([command, files, '--repair', choice, '--org', org])
    expect(repairWith('config.range_gap=foo')).toMatchObject({
      code: 2,
      err: expect.stringContaining('the repairs are extend_earlier') as string,
    })
    expect(repairWith('config.range_gapp=drop_key')).toMatchObject({
      code: 2,
      err: expect.stringContaining('Did you mean "config.range_gap"?') as string,
    })
  }
  const spare = almanac(['validate', files, '--repair', 'config.range_gap=drop_key', '--org', org, '--json'])
  expect([spare.code, spare.json()['findings']]).toMatchObject([
    0,
    [{ code: 'repair.not_needed', component: 'config.range_gap=drop_key' }],
  ])
})

it('rows that have only start dates become a sequence', () => {
  const dir = scratch()
  const org = join(dir, 'org')
  const files = writeComponents(join(dir, 'rates'), [
    invoice,
    vatRate,
    ...['2020', '2021', '2022'].map((year) =>
      entry(`de_${year}`, 'DE', `${year}-01-01`, null, `0.${year.slice(2)}`),
    ),
  ])
  expect(almanac(['init', org]).code).toBe(0)
  const findings = almanac(['validate', files, '--org', org, '--json']).json()['findings'] as unknown as {
    code: string
    facts: Record<string, string>
  }[]
  expect(findings.map(({ code, facts }) => [code, facts['earlier'], facts['later']])).toEqual([
    ['config.range_overlap', 'vat_rate.de_2020', 'vat_rate.de_2021'],
    ['config.range_overlap', 'vat_rate.de_2021', 'vat_rate.de_2022'],
  ])
  const repaired = almanac(['apply', files, '--repair', 'config.range_overlap=end_earlier', '--org', org])
  expect([repaired.code, repaired.err]).toEqual([0, ''])
  const rateOn = (date: string): string =>
    almanac([
      'resolve',
      'vat_rate',
      '--key',
      'DE',
      '--as-of',
      date,
      '--field',
      'rate',
      '--org',
      org,
    ]).out.trim()
  expect(['2020-12-31', '2021-12-31', '2030-01-01'].map(rateOn)).toEqual(['0.2000', '0.2100', '0.2200'])
})
