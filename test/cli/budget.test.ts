// An operator sees and raises the slice budget; a change list that exceeds it names the fix.
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { almanac, scratch, writeComponents } from './almanac.ts'

it('a change list over the budget is refused, and accepted once the budget is raised', () => {
  const dir = scratch()
  const org = join(dir, 'org')
  expect(almanac(['init', org]).code).toBe(0)
  const note = {
    type: 'config_set',
    key: 'note',
    label: 'Note',
    body: { cardinality: 'singleton', fields: [{ key: 'text', type: 'text' }] },
  }
  const value = { set: 'note', scope: { kind: 'org' }, values: { text: '中'.repeat(400) } }
  const entry = { type: 'config_entry', key: 'note.org', label: 'Note', body: value }
  const files = writeComponents(join(dir, 'files'), [note, entry])
  expect(almanac(['budget', '1000', '--org', org]).out).toContain('of the 1000 B')
  // 400 letters of three bytes each.
  const refused = almanac(['apply', files, '--org', org])
  expect(refused.code).toBe(1)
  expect(refused.err).toMatch(/deploy\.slice_budget[\s\S]*almanac budget <size>/)
  expect(almanac(['budget', '2KiB', '--org', org, '--json']).json()).toMatchObject({
    sliceBudget: 2048,
    used: 0,
  })
  expect(almanac(['apply', files, '--org', org]).code).toBe(0)
  expect(almanac(['budget', '--org', org, '--json']).json()['used']).toBeGreaterThan(1200)
  // A user who does not see everything is shown whole mebibytes, as over HTTP.
  expect(almanac(['user', 'add', 'nob', '--org', org]).code).toBe(0)
  const shown = almanac(['budget', '--org', org, '--as', 'nob', '--json']).json()
  expect(shown).toMatchObject({ sliceBudget: 2048, used: 1024 * 1024 })
  for (const wrong of ['lots', '0', '-1', '1 TB'])
    expect(almanac(['budget', '--org', org, '--', wrong]).code).toBe(2)
})
