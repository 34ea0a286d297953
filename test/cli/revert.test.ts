// almanac revert and rollback: reviewed with --dry-run, applied, or submitted; a conflict changes nothing.
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { almanac, entry, invoice, scratch, vatRate, writeComponents } from './almanac.ts'

const dir = scratch()
const org = join(dir, 'org')
const at = (...args: string[]) => almanac([...args, '--org', org])
const list = (name: string, ...components: Parameters<typeof writeComponents>[1][]) =>
  writeComponents(join(dir, name), components.flat() as never)
const rate = (key: string, value: string) => entry(key.toLowerCase(), key, '2007-01-01', null, value)

it('revert undoes one generation, after a review that changes nothing', () => {
  expect(almanac(['init', org]).code).toBe(0)
  expect(at('apply', list('one', [invoice, vatRate, rate('DE', '0.19'), rate('AT', '0.20')])).code).toBe(0)
  expect(at('apply', list('two', [rate('DE', '0.21'), rate('AT', '0.22')])).code).toBe(0)
  expect(at('apply', list('three', [rate('AT', '0.23')])).code).toBe(0)

  const conflict = at('revert', '3', '--dry-run')
  expect(conflict.code).not.toBe(0)
  expect(conflict.err).toMatch(/config_entry\/vat_rate\.at changed again after generation 3/)
  expect(conflict.err).toContain('Use --without <type/key> to keep one as it is.')

  const reviewed = at('revert', '3', '--without', 'config_entry/vat_rate.at', '--dry-run')
  expect([reviewed.code, reviewed.out]).toEqual([3, expect.stringMatching(/0\.2100 → 0\.1900/)])
  const [, plan = ''] = /Plan (\S+)/.exec(reviewed.out) ?? []
  const picked = at('revert', '3', '--component', 'config_entry/vat_rate.de', '--plan', plan, '--json')
  expect(picked.json()).toMatchObject({ generation: 5, changes: [{ id: 'config_entry/vat_rate.de' }] })
  expect(at('generations', '--json').json()).toMatchObject({
    generations: [{ kind: 'revert' }, {}, {}, {}, {}],
  })
})

it('rollback shows its difference first with --dry-run', () => {
  const reviewed = at('rollback', '2', '--dry-run')
  expect([reviewed.code, reviewed.out]).toEqual([3, expect.stringMatching(/0\.2300 → 0\.2000/)])
  expect(at('generations', '--json').json()).toMatchObject({ active: 5 })
})

it('a revert is submitted as a change request', () => {
  const made = at('request', '--revert', '4', '--json')
  expect(made.json()).toMatchObject({ title: 'Revert generation 4', findings: [] })
})

it('a component is named by its type and key', () => {
  expect(at('revert', '3', '--component', 'vat_rate.de').err).toMatch(/must be <type>\/<key>/)
})
