// Options that repeat or contradict each other, or cannot apply, are usage errors (exit code 2).
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { almanac, scratch } from './almanac.ts'

it.each([
  [['resolve', 'x', '--scope', 'environment=a', '--scope', 'environment=b'], /contains environment twice/],
  [['evaluate', '1', '--input', 'n:number=1', '--input', 'n:number=2'], /contains n twice/],
  [['evaluate', '1', '--input', 'b:boolean=yes'], /must be true or false, not "yes"/],
])('almanac %j is wrong usage', (args, words) => {
  const org = join(scratch(), 'org')
  expect(almanac(['init', org]).code).toBe(0)
  expect(almanac([...args, '--org', org])).toMatchObject({
    code: 2,
    err: expect.stringMatching(words) as string,
  })
})

it('a problem of an expression is reported with its place', () => {
  const org = join(scratch(), 'org')
  expect(almanac(['init', org]).code).toBe(0)
  const { code, err } = almanac(['evaluate', '1 + foo * bar', '--org', org])
  expect(code).toBe(1)
  expect(err).toMatch(/At character 5: .*"foo".*\n\s+At character 11: .*"bar"/)
  expect(almanac(['evaluate', '1 +', '--org', org]).err).toMatch(/\n\s+At character 4\.\n$/)
})

it.each([
  ['http://', /^"http:\/\/" is not a valid URL\. Write it as https/],
  ['http://[', /is not a valid URL/],
  ['http://127.0.0.1:99999', /is not a valid URL/],
  ['ftp://example.org', /^The URL of an org uses https or http, not ftp\./],
  ['http://ann:hunter2@127.0.0.1', /^A URL cannot contain a user or a password\./],
  ['http://127.0.0.1:4680/setup?a#b', /^Use only the URL of the server: http:\/\/127\.0\.0\.1:4680\./],
])('the address %s is wrong usage, as an org and as a remote', (address, words) => {
  const folder = scratch()
  for (const args of [
    ['generations', '--org', address],
    ['push', folder, '--remote', address, '--org', folder],
  ]) {
    const { code, err } = almanac(args)
    expect([args, code, err]).toEqual([args, 2, expect.stringMatching(words)])
    expect(err).not.toContain('hunter2')
  }
})

it.each([
  [['retrieve', '--out', ''], /^--out is empty/],
  [['apply', 'x', '--plan', ''], /^--plan is empty/],
  [['init', ''], /^An argument is empty/],
  [['diff', ''], /^An argument is empty/],
])('almanac %j is wrong usage: a shell variable may be unset', (args, words) => {
  const org = join(scratch(), 'org')
  expect(almanac(['init', org]).code).toBe(0)
  const { code, err } = almanac([...args, '--org', org], { cwd: org })
  expect([code, err]).toEqual([2, expect.stringMatching(words)])
})
