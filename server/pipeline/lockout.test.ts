// No apply, rollback or change to a user leaves an org without a user who can change permissions.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { enginesOf } from '../compose/engines.ts'
import { initOrg, type OpenedOrg } from '../compose/open-org.ts'

let folder: string
let org: OpenedOrg

const by = { actor: 'admin', correlationId: 't', isOperator: true as const }
const rights = (key: string, ...systemPermissions: string[]) => ({
  type: 'permission_set',
  key,
  label: key,
  body: { systemPermissions },
})
const apply = (components: unknown[], more: { removals?: never[]; prune?: boolean } = {}) =>
  org.apply({ source: { kind: 'components', components, ...more }, actor: 'admin', isOperator: true })
const refused = (code: string, component?: string): Error =>
  expect.objectContaining(
    component === undefined
      ? { code }
      : { code, details: expect.arrayContaining([expect.objectContaining({ component })]) as unknown },
  ) as Error
const locked = expect.objectContaining({
  details: expect.arrayContaining([
    expect.objectContaining({ code: 'access.nobody_left', component: 'permission_set/administrator' }),
  ]) as unknown,
}) as Error

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'almanac-lockout-'))
  org = initOrg(folder, { name: 'T', environment: 'dev' })
})
afterEach(async () => {
  await org.close()
  rmSync(folder, { recursive: true, force: true })
})

it('generation 0 does not exist, and cannot be rolled back to', async () => {
  for (const generation of [0, -1])
    await expect(org.rollback(generation, { actor: 'admin', isOperator: true })).rejects.toThrow(
      refused('generation.not_found'),
    )
  expect(org.activeGeneration()).toBe(1)
})

it('the last holder’s permission set is not removed, stripped or pruned', async () => {
  const removals = ['permission_set/administrator'] as never[]
  await expect(apply([], { removals })).rejects.toThrow(locked)
  await expect(apply([rights('administrator', 'metadata.author')])).rejects.toThrow(locked)
  await expect(apply([rights('other', 'access.manage')], { prune: true })).rejects.toThrow(locked)
  // No user holds the other one.
  await expect(apply([rights('other', 'access.manage')], { removals })).rejects.toThrow(locked)
  expect(org.activeGeneration()).toBe(1)
})

it('with another holder it can be removed, and a rollback to before that is also refused', async () => {
  const { access } = enginesOf(org)
  await apply([rights('other', 'access.manage', 'metadata.author')])
  await access.addUser(by, { key: 'mara', name: 'Mara', permissionSets: ['other'] })
  await apply([], { removals: ['permission_set/administrator'] as never[] })
  // No user has been assigned the set of generation 1 again.
  await expect(org.rollback(1, { actor: 'mara', isOperator: true })).rejects.toThrow(
    refused('deploy.invalid', 'permission_set/other'),
  )
})

it('the last holder stays assigned and active', async () => {
  const { access } = enginesOf(org)
  await expect(access.changeUser(by, 'admin', { permissionSets: [] })).rejects.toThrow(
    refused('request.invalid'),
  )
  await expect(access.changeUser(by, 'admin', { active: false })).rejects.toThrow(refused('request.invalid'))
  await access.addUser(by, { key: 'mara', name: 'Mara', permissionSets: ['administrator'] })
  expect(await access.changeUser(by, 'admin', { permissionSets: [] })).toMatchObject({ permissionSets: [] })
})
