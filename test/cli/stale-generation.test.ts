// A stale generation in words: base, theirs and mine, place by place.
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { almanac, entry, invoice, scratch, vatRate, writeComponents } from './almanac.ts'

it('a stale generation shows base, theirs and mine', () => {
  const dir = scratch()
  const org = join(dir, 'org')
  const DE = (end: string | null, rate: string) => entry('de', 'DE', '2021-01-01', end, rate)
  const FR = entry('fr', 'FR', '2021-01-01', null, '0.2')
  const apply = (name: string, components: { type: string; key: string }[], ...more: string[]) =>
    almanac(['apply', writeComponents(join(dir, name), components), '--org', org, ...more])
  expect(almanac(['init', org]).code).toBe(0)
  expect(apply('first', [invoice, vatRate, DE(null, '0.19')]).err).toBe('')
  expect(apply('theirs', [{ ...DE(null, '0.21'), label: 'Germany' } as never, FR]).err).toBe('')
  const mine = [DE(null, '0.22'), { ...FR, body: { ...FR.body, values: { rate: '0.3' } } }]
  const { code, out, err } = apply('mine', mine, '--base', '2')
  expect([code, out]).toEqual([1, ''])
  expect(err).toMatch(/^conflict\.stale_generation/)
  const lines = err.split('\n').map((line) => line.trim().split(/ {2,}/))
  expect(lines).toContainEqual(['place', 'base', 'theirs', 'mine'])
  expect(lines).toContainEqual(['config_entry/vat_rate.de'])
  expect(lines).toContainEqual(['/body/values/rate', '0.1900', '0.2100', '0.2200'])
  expect(lines).toContainEqual(['/label', 'de', 'Germany', 'de'])
  expect(lines).toContainEqual(['config_entry/vat_rate.fr'])
  expect(lines).toContainEqual(['/body/values/rate', 'none', '0.2000', '0.3000'])
  const removed = almanac(['rollback', '2', '--org', org])
  expect(removed.code).toBe(0)
  const gone = apply('gone', [entry('fr', 'FR', '2021-01-01', null, '0.4')], '--base', '3')
  expect(gone.err).toMatch(/base +theirs +mine\n +rate 0\.2000, 2021-01-01 to open +none +rate 0\.4000, 2021/)
  expect(apply('mine', mine, '--base', '2', '--json').err).not.toContain('place')
})
