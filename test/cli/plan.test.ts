// apply --plan takes the plan that diff showed, and none of another org that holds the same (completions 4, 7).
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { almanac, invoice, scratch, writeComponents } from './almanac.ts'

const dir = scratch()
const list = writeComponents(join(dir, 'list'), [invoice])
const at = (org: string, ...args: string[]) => almanac([...args, '--org', join(dir, org)])

it('a plan is of one org', () => {
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
  // A digest alone says of which content it is, and not of which org.
  expect(at('two', 'apply', list, '--plan', plan.split('/')[1]!).code).toBe(2)
  expect(at('one', 'apply', list, '--plan', file, '--json').json()).toMatchObject({ generation: 2 })
})
