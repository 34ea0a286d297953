// Stale plans, stale generations and denials, on every target that has generations and users.
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { accessCases } from './access.table.ts'
import { ground, plainRow, range } from './ground.ts'
import type { SpecOrg } from './target.ts'
import { targets } from './targets.ts'

describe.each(targets.filter(({ reach }) => reach === 'engine'))('the pipeline over $name', (target) => {
  let org: SpecOrg
  beforeEach(async () => {
    org = await target.start()
    await org.apply({ components: ground })
  })
  afterEach(() => org.close())

  it('refuses a stale plan: its change list is not the reviewed one', async () => {
    const changeDigest = await org.plan({ components: [plainRow({ rate: '0.2' })] })
    const other = await org.apply({ components: [plainRow({ rate: '0.3' })], changeDigest })
    expect(other).toMatchObject({ ok: false, code: 'conflict.stale_plan' })
    expect(await org.apply({ components: [plainRow({ rate: '0.2' })], changeDigest })).toMatchObject({
      ok: true,
      generation: 3,
    })
  })

  it('refuses a stale generation with base, theirs and mine, and merges untouched components', async () => {
    await org.apply({ components: [plainRow({ rate: '0.2' })] })
    const rates = (rate: string): object => ({ body: { values: { rate } } })
    expect(await org.apply({ components: [plainRow({ rate: '0.3' })], base: 2 })).toMatchObject({
      ok: false,
      code: 'conflict.stale_generation',
      details: [
        {
          id: 'config_entry/plain.de',
          base: rates('0.1900'),
          theirs: rates('0.2000'),
          mine: rates('0.3000'),
        },
      ],
    })
    const elsewhere = [range('de_2', '2021-01-01', '2099-01-01'), range('de_3', '2099-01-01', null)]
    expect(await org.apply({ components: elsewhere, base: 2 })).toMatchObject({ ok: true, generation: 4 })
  })

  it.each(accessCases)('requires $needs for $name', async ({ request, rights, enough, lacks }) => {
    const setsOf = (name: string, systemPermissions: readonly string[]): object => ({
      type: 'permission_set',
      key: name,
      label: name,
      body: { systemPermissions },
    })
    await org.apply({ components: [setsOf('too_little', rights), setsOf('enough', enough)] })
    await org.addUser('eve', ['too_little', 'clerks'])
    await org.addUser('ann', ['enough', 'editors'])
    const before = await org.activeGeneration()
    const denied = await org.apply({ ...request, actor: 'eve' })
    expect(denied).toMatchObject({ ok: false, code: 'access.denied' })
    const permissions = (denied as { details: { permission: string }[] }).details.map(
      ({ permission }) => permission,
    )
    expect(permissions).toContain(lacks)
    expect(await org.activeGeneration()).toBe(before)
    expect(await org.apply({ ...request, actor: 'ann' })).toMatchObject({ ok: true })
  })
})
