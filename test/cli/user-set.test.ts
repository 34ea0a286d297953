// almanac user set: what a user holds from now on.
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { almanac, scratch } from './almanac.ts'

const org = join(scratch(), 'org')
const at = (...args: string[]) => almanac([...args, '--org', org, '--json'])

it('a user gets different permission sets, and the last who manages access keeps that permission', () => {
  almanac(['init', org])
  expect(at('user', 'add', 'mara').code).toBe(0)
  const set = at('user', 'set', 'mara', '--permission-set', 'administrator').json()
  expect(set).toMatchObject({ key: 'mara', permissionSets: ['administrator'], password: 'none' })
  expect(at('user', 'set', 'admin', '--without-permission-sets').code).toBe(0)
  expect(at('user', 'set', 'mara', '--active', 'no')).toMatchObject({ code: 1 })
  expect(at('user', 'set', 'mara').code).toBe(2)
})

it('a group gives its permission sets to its members, and access shows the source', () => {
  const made = at('group', 'set', 'bosses', '--name', 'Bosses', '--permission-set', 'administrator')
  expect(made.json()).toEqual({ key: 'bosses', name: 'Bosses', permissionSets: ['administrator'] })
  expect(at('user', 'add', 'jon', '--group', 'bosses').code).toBe(0)
  expect(at('access', 'jon').json()).toMatchObject({
    assignments: [{ permissionSet: 'administrator', direct: false, groups: ['bosses'] }],
  })
  const words = almanac(['access', 'jon', '--org', org]).out
  expect(words).toMatch(/administrator +through group bosses/)
  expect(words).toMatch(/access\.manage +administrator/)
  expect(almanac(['access', 'nobody', '--org', org])).toMatchObject({ code: 1 })
  expect(at('group', 'remove', 'bosses').json()).toEqual({ key: 'bosses', members: ['jon'] })
  expect(at('access', 'jon').json()).toMatchObject({ assignments: [] })
  expect(at('group', 'remove', 'bosses').code).toBe(1)
})
