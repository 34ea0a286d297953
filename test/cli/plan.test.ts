// apply --plan applies the plan that diff showed, to the org and the generation for which it was created.
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { almanac, entry, invoice, scratch, vatRate, writeComponents } from './almanac.ts'

const dir = scratch()
const list = writeComponents(join(dir, 'list'), [invoice])
const at = (org: string, ...args: string[]) => almanac([...args, '--org', join(dir, org)])

it('a plan belongs to one org', () => {
  for (const org of ['one', 'two']) expect(almanac(['init', join(dir, org)]).code).toBe(0)
  const shown = at('one', 'diff', list)
  const [, plan = ''] = /Plan (\S+)/.exec(shown.out) ?? []
  expect(shown.code).toBe(3)
  const file = join(dir, 'plan.json')
  writeFileSync(file, at('one', 'diff', list, '--json').out)
  for (const reviewed of [plan, file])
    expect(at('two', 'apply', list, '--plan', reviewed, '--json').json()).toMatchObject({
      code: 'conflict.stale_plan',
    })
  // A digest alone identifies content, but not an org.
  expect(at('two', 'apply', list, '--plan', plan.split('/')[2]!).code).toBe(2)
  expect(at('one', 'apply', list, '--plan', file, '--json').json()).toMatchObject({ generation: 2 })
})

it('a plan belongs to one base generation, in each form', () => {
  expect(almanac(['init', join(dir, 'base')]).code).toBe(0)
  const rate = (name: string, value: string) =>
    writeComponents(join(dir, name), [entry('de_2021', 'DE', '2021-01-01', null, value)])
  const first = writeComponents(join(dir, 'first'), [invoice, vatRate])
  rate('first', '0.01')
  expect(at('base', 'apply', first).code).toBe(0)
  const mine = rate('mine', '0.10')
  const [, printed = ''] = /Plan (\S+)/.exec(at('base', 'diff', mine).out) ?? []
  const answer = at('base', 'diff', mine, '--json')
  const [whole, alone] = [join(dir, 'whole.json'), join(dir, 'alone.json')]
  writeFileSync(whole, answer.out)
  writeFileSync(alone, JSON.stringify(answer.json()['plan']))
  expect(at('base', 'apply', rate('theirs', '0.11')).code).toBe(0)
  const [lineage, base, digest] = printed.split('/')
  expect(base).toBe('2')
  for (const plan of [printed, whole, alone, `${lineage}/${digest}`]) {
    for (const command of ['apply', 'request']) {
      const refused = at('base', command, mine, '--plan', plan, '--json')
      expect([plan, command, refused.code, refused.json()['code']]).toEqual([
        plan,
        command,
        1,
        'conflict.stale_plan',
      ])
    }
  }
  const resolved = at('base', 'resolve', 'vat_rate', '--key', 'DE', '--as-of', '2022-01-01', '--json')
  expect(resolved.json()).toMatchObject({ values: { rate: '0.1100' } })
})

it('a plan over a retrieved directory merges as it was shown', () => {
  const out = join(dir, 'retrieved')
  expect(at('base', 'retrieve', '--out', out).code).toBe(0)
  expect(
    at('base', 'apply', writeComponents(join(dir, 'beside'), [entry('fr', 'FR', '2021-01-01', null, '0.2')]))
      .code,
  ).toBe(0)
  writeComponents(out, [entry('de_2021', 'DE', '2021-01-01', null, '0.12')])
  const [, plan = ''] = /Plan (\S+)/.exec(at('base', 'diff', out).out) ?? []
  expect(at('base', 'apply', out, '--plan', plan, '--json').json()).toMatchObject({ generation: 5 })
})
