// --drafts selects the drafts of the acting user; --drafts all includes those of others.
import { join } from 'node:path'
import { beforeAll, expect, it } from 'vitest'
import { openOrg } from '../../server/compose/open-org.ts'
import { almanac, scratch } from './almanac.ts'

const org = join(scratch(), 'org')
const at = (...args: string[]) => almanac([...args, '--org', org])
const sizes = { type: 'value_set', key: 'sizes', label: 'Sizes', body: { values: [] } }
const rights = (key: string) => ({ type: 'permission_set', key, label: key, body: {} })

beforeAll(async () => {
  expect(at('init', org).code).toBe(0)
  const opened = openOrg(org)
  const save = (author: string, component: { type: string; key: string }) =>
    opened.saveDraft({
      id: `${component.type}/${component.key}` as never,
      text: JSON.stringify(component),
      version: 0,
      // An operator needs no rights of the user, who does not exist here.
      actor: { actor: author, correlationId: 'c', isOperator: true },
      viewer: null,
    })
  await save('admin', sizes)
  await save('mara', rights('authors'))
  await opened.close()
})

it('apply --drafts leaves the drafts of others, names them, and takes them with --drafts all', () => {
  const first = at('apply', '--drafts')
  expect([first.code, first.out]).toEqual([0, expect.stringContaining('permission_set/authors (mara)')])
  expect(first.out).toContain('--drafts all')
  expect(at('drafts', '--json').json()).toMatchObject({ drafts: [{ id: 'permission_set/authors' }] })

  const all = at('apply', '--drafts', 'all')
  expect([all.code, all.out]).toEqual([0, expect.stringContaining('permission_set/authors is by mara')])
  expect(at('drafts', '--json').json()).toEqual({ drafts: [] })
})
