// Options that say one thing twice, or nothing that can be, are wrong usage (completions 7).
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { almanac, scratch } from './almanac.ts'

it.each([
  [['resolve', 'x', '--scope', 'environment=a', '--scope', 'environment=b'], /says environment twice/],
  [['evaluate', '1', '--input', 'n:number=1', '--input', 'n:number=2'], /gives n twice/],
  [['evaluate', '1', '--input', 'b:boolean=yes'], /true or false; "yes" is neither/],
])('almanac %j', (args, words) => {
  const org = join(scratch(), 'org')
  expect(almanac(['init', org]).code).toBe(0)
  expect(almanac([...args, '--org', org])).toMatchObject({
    code: 2,
    err: expect.stringMatching(words) as string,
  })
})
