// Apply, conflict, plan, drafts, rollback and slices, tested on a real org in a folder.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { resolve } from '#kernel/config/index.ts'
import { fee, feeSet } from '../../test/support/fees.ts'
import type { Digest } from '#kernel/change/index.ts'
import { importCompanion } from '../import/index.ts'
import { initOrg, openOrg } from '../compose/open-org.ts'
import type { Org } from './org.ts'
import type { ApplyOutcome, ApplyRequest } from './request.ts'
import { visibleDrafts } from './draft-access.ts'

let folder: string
let org: Org

const apply = (components: unknown[], request: Partial<ApplyRequest> = {}): Promise<ApplyOutcome> =>
  org.apply({ source: { kind: 'components', components }, actor: 'admin', ...request })
const code = (expected: string): Error => expect.objectContaining({ code: expected }) as Error
const amount = (key: string, generation?: number): unknown =>
  resolve(org.pin(generation).slice, { set: 'fee', key, scopePath: {}, asOf: null }).values['amount']

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'almanac-apply-'))
  org = initOrg(folder, { name: 'T', environment: 'dev' })
  await apply([feeSet(), fee('a', '1'), fee('b', '1'), fee('c', '1')])
})
afterEach(async () => {
  await org.close()
  rmSync(folder, { recursive: true, force: true })
})

describe('one apply', () => {
  it('creates one generation, with an audit row for each change', async () => {
    const outcome = await apply([fee('a', '2')], {
      rationale: 'The board decided.',
      correlationId: 'corr-1',
    })
    expect(outcome).toMatchObject({
      generation: 3,
      unchanged: false,
      counts: { added: 0, changed: 1 },
      findings: [],
    })
    expect(org.store.read((reader) => reader.audit.list({ generation: 3 }))).toMatchObject([
      {
        actor: 'admin',
        component: 'config_entry/fee.a',
        kind: 'changed',
        correlationId: 'corr-1',
        rationale: 'The board decided.',
        before: { body: { values: { amount: '1.00' } } },
        after: { body: { values: { amount: '2.00' } } },
      },
    ])
  })

  it('writes what belongs to it in the same transaction, or nothing at all', async () => {
    const request: ApplyRequest = {
      source: { kind: 'components', components: [fee('a', '2')] },
      actor: 'admin',
    }
    const before = org.activeGeneration()
    const failing = org.apply(request, 'apply', { writer: 'nobody', data: null })
    await expect(failing).rejects.toThrow('No engine writes "nobody".')
    const record = { a: { entry: 'fee.a', digest: 'jcs1:sha256:a' as Digest, since: before } }
    const recorded = (): unknown => org.store.read((reader) => reader.settings.get('import-rows/fee'))
    expect([org.activeGeneration(), recorded()]).toEqual([before, undefined])
    await org.apply(request, 'apply', importCompanion({ set: 'fee', record, dropped: [], user: null }))
    expect([org.activeGeneration(), recorded()]).toEqual([before + 1, record])
  })

  it('of nothing new creates no generation', async () => {
    expect(await apply([feeSet(), fee('a', '1.0')])).toMatchObject({
      generation: 2,
      unchanged: true,
      total: 0,
    })
    expect(org.activeGeneration()).toBe(2)
  })

  it('stopped by a finding changes nothing and reports every finding', async () => {
    const refused = await apply([fee('a', '2'), fee('b', 'two'), fee('x', '1.234')]).catch(
      (error: unknown) => error,
    )
    expect(refused).toEqual(code('deploy.invalid'))
    const { details } = refused as { details: { component: string }[] }
    expect(details.map(({ component }) => component)).toEqual(['config_entry/fee.b', 'config_entry/fee.x'])
    expect(org.activeGeneration()).toBe(2)
    expect(amount('a')).toBe('1.00')
  })

  it('by an actor without permissions is refused with every denial, and so is an unknown actor', async () => {
    await org.write((transactor) =>
      transactor.people.putUser({
        key: 'eve',
        name: 'Eve',
        active: true,
        locale: null,
        passwordHash: null,
        groups: [],
        permissionSets: [],
      }),
    )
    const denied = await apply([fee('a', '2'), fee('b', '2')], { actor: 'eve' }).catch(
      (error: unknown) => error,
    )
    expect(denied).toEqual(code('access.denied'))
    const { details } = denied as { details: { id: string; permission: string }[] }
    expect(new Set(details.map(({ id }) => id))).toEqual(
      new Set(['config_entry/fee.a', 'config_entry/fee.b']),
    )
    await expect(apply([fee('a', '2')], { actor: 'nobody' })).rejects.toEqual(code('user.not_found'))
    expect(org.activeGeneration()).toBe(2)
  })

  it('keeps the hints in the audit but not in the digest', async () => {
    const { generation } = await apply([{ ...fee('z', '1'), renamedFrom: 'fee.a' }])
    const [row] = org.store.read((reader) => reader.audit.list({ generation }))
    expect(row).toMatchObject({
      kind: 'renamed',
      component: 'config_entry/fee.z',
      hints: { renamedFrom: 'fee.a' },
    })
    expect(JSON.stringify(org.pin().view.get('config_entry', 'fee.z'))).not.toContain('renamedFrom')
  })
})

describe('an active generation that has changed', () => {
  it('merges what only one side changed', async () => {
    await apply([fee('a', '2')])
    // The author saw generation 2: "a" is included unchanged, "b" is the author's change.
    expect(await apply([fee('a', '1'), fee('b', '5')], { base: 2 })).toMatchObject({
      generation: 4,
      total: 1,
    })
    expect([amount('a'), amount('b')]).toEqual(['2.00', '5.00'])
  })

  it('does not conflict if both sides have the same content', async () => {
    await apply([fee('a', '2')])
    expect(await apply([fee('a', '2')], { base: 2 })).toMatchObject({ unchanged: true })
  })

  it('conflicts if both sides changed it, with base, theirs and mine', async () => {
    await apply([fee('a', '2')])
    const amountIs = (value: string): unknown =>
      expect.objectContaining({ body: expect.objectContaining({ values: { amount: value } }) as unknown })
    await expect(apply([fee('a', '3')], { base: 2 })).rejects.toMatchObject({
      code: 'conflict.stale_generation',
      details: [
        {
          id: 'config_entry/fee.a',
          base: amountIs('1.00'),
          theirs: amountIs('2.00'),
          mine: amountIs('3.00'),
        },
      ],
    })
  })

  it('conflicts if one side removed what the other changed', async () => {
    await apply([fee('a', '2')])
    const source = { kind: 'components', components: [], removals: ['config_entry/fee.a'] } as const
    await expect(org.apply({ source, actor: 'admin', base: 2 })).rejects.toMatchObject({
      code: 'conflict.stale_generation',
      details: [{ mine: null }],
    })
  })

  it('does not prune what was added since', async () => {
    await apply([fee('new', '1')])
    const kept = [...org.pin(2).view.all()]
    const source = { kind: 'components', components: kept, prune: true } as const
    expect(await org.apply({ source, actor: 'admin', base: 2 })).toMatchObject({ unchanged: true })
    await org.apply({ source, actor: 'admin' })
    expect(org.pin().view.has('config_entry', 'fee.new')).toBe(false)
  })
})

describe('a plan', () => {
  it('is bound to its change list', async () => {
    const source = { kind: 'components', components: [fee('a', '2')] } as const
    const { changeDigest, changes, budget } = await org.plan({ source, actor: 'admin' })
    // Rows are created each time they are read, so that memory never holds many of them at once.
    const [row] = changes
    expect([...changes]).toEqual([row])
    expect([...changes][0]).not.toBe(row)
    expect(changes.length).toBe(1)
    expect([...changes][0]!.words).toMatchObject({ title: 'Fee, a, org', before: '1.00', after: '2.00' })
    expect(budget.used + budget.added + budget.left).toBe(budget.limit)
    await expect(apply([fee('a', '3')], { changeDigest })).rejects.toEqual(code('conflict.stale_plan'))
    expect(await apply([fee('a', '2')], { changeDigest })).toMatchObject({ generation: 3 })
    await expect(apply([fee('a', '2')], { changeDigest })).rejects.toEqual(code('conflict.stale_plan'))
  })

  it('writes nothing and reports missing permissions', async () => {
    await org.plan({ source: { kind: 'components', components: [fee('a', '2')] }, actor: 'admin' })
    expect(org.store.read((reader) => reader.generations.active())).toBe(2)
  })

  it('measures the slices that exist after it, and refuses to exceed the budget', async () => {
    const { budget } = await apply([fee('d', '123.45'), fee('a', '77777')])
    expect(org.store.read((reader) => reader.sets.summary(3, 'fee')!.bytes)).toBe(
      org.pin().slice.sets.get('fee')!.bytes,
    )
    expect(org.pin().slice.bytes).toBe(budget.used + budget.added)
    await org.write((transactor) =>
      transactor.properties.put({ sliceBudget: budget.used + budget.added + 10 }),
    )
    await expect(apply([fee('e', '1')])).rejects.toEqual(code('deploy.slice_budget'))
    // A change that frees space is never refused.
    const removal = { kind: 'components', components: [], removals: ['config_entry/fee.d'] } as const
    expect(await org.apply({ source: removal, actor: 'admin' })).toMatchObject({ generation: 4 })
  })
})

describe('an external service', () => {
  const external = {
    type: 'external_credential',
    key: 'rates',
    label: 'Rates',
    body: { scheme: 'basic', principals: [{ key: 'main' }] },
  }
  const named = {
    type: 'named_credential',
    key: 'rates_api',
    label: 'Rates API',
    body: { url: 'https://rates.example', externalCredential: 'rates', principal: 'main' },
  }
  const service = (spec: object): object => ({
    type: 'external_service',
    key: 'rates',
    label: 'Rates',
    body: { namedCredential: 'rates_api', spec: { format: 'openapi_3_1', ...spec } },
  })

  it('is refused without its description; its credential applies without a secret', async () => {
    expect(await apply([external, named])).toMatchObject({ generation: 3 })
    const hash = `oas1:sha256:${'a'.repeat(64)}`
    for (const spec of [{}, { hash }])
      await expect(
        apply([service({ source: 'https://rates.example/openapi.json', ...spec })]),
      ).rejects.toMatchObject({
        code: 'deploy.invalid',
        details: [{ code: 'service.import', component: 'external_service/rates' }],
      })
  })
})

describe('rollback', () => {
  it('is an ordinary apply of older content', async () => {
    await apply([fee('a', '2'), fee('new', '1')])
    await apply([fee('b', '2')])
    const outcome = await org.rollback(2, { actor: 'admin', rationale: 'Back.' })
    expect(outcome).toMatchObject({ generation: 5, counts: { changed: 2, removed: 1 } })
    expect(org.store.read((reader) => reader.generations.get(5))).toMatchObject({ kind: 'rollback' })
    const digests = (generation: number): unknown =>
      [...org.store.read((reader) => reader.components.digests(generation))].sort()
    expect(digests(5)).toEqual(digests(2))
    expect(org.pin(5).slice.sets.get('fee')!.digest).toBe(org.pin(2).slice.sets.get('fee')!.digest)
    await expect(org.rollback(99, { actor: 'admin' })).rejects.toEqual(code('generation.not_found'))
  })
})

describe('readers', () => {
  it('keep the generation that they started on', async () => {
    const pinned = org.pin()
    const flips: number[] = []
    const stop = org.onActivation(({ generation }) => flips.push(generation))
    await apply([fee('a', '2')])
    stop()
    await apply([fee('a', '3')])
    expect(flips).toEqual([3])
    expect(pinned.generation).toBe(2)
    expect(resolve(pinned.slice, { set: 'fee', key: 'a', scopePath: {}, asOf: null }).values['amount']).toBe(
      '1.00',
    )
    expect(pinned.view.get('config_entry', 'fee.a')!.body.values).toEqual({ amount: '1.00' })
    expect([amount('a', 2), amount('a', 3), amount('a')]).toEqual(['1.00', '2.00', '3.00'])
  })

  it('share the slice of a set that did not change, and equal slices that are built from scratch', async () => {
    await org.materialise()
    await apply([{ type: 'value_set', key: 'v', label: 'V', body: { values: [] } }])
    expect(org.pin().slice.sets.get('fee')).toBe(org.pin(2).slice.sets.get('fee'))
    await apply([fee('a', '2'), fee('d', '4')])
    await org.apply({
      source: { kind: 'components', components: [], removals: ['config_entry/fee.b'] },
      actor: 'admin',
    })
    const anew = openOrg(folder)
    const [warm, cold] = [org, anew].map((each) => each.pin().slice.sets.get('fee')!)
    for (const key of ['a', 'b', 'c', 'd']) expect(warm!.rowsByKey.get(key)).toEqual(cold!.rowsByKey.get(key))
    expect(warm!.bytes).toBe(cold!.bytes)
    expect([...org.pin().slice.sets.keys()]).toEqual(['fee'])
    await anew.close()
  })

  it('see what another process applied after a refresh', async () => {
    const other = openOrg(folder)
    await other.apply({ source: { kind: 'components', components: [fee('a', '9')] }, actor: 'admin' })
    expect(amount('a')).toBe('1.00')
    await org.refresh()
    expect(amount('a')).toBe('9.00')
    await apply([fee('b', '9')])
    expect(org.activeGeneration()).toBe(4)
    await other.close()
  })
})

describe('drafts', () => {
  const save = (
    id: `config_entry/${string}`,
    text: string | null,
    version = 0,
  ): ReturnType<Org['saveDraft']> =>
    org.saveDraft({ id, text, version, actor: { actor: 'admin', correlationId: 'c' }, viewer: null })
  const text = (component: unknown): string => JSON.stringify(component)

  it('hold any text, and refuse a save over an older version', async () => {
    const { draft, findings } = await save('config_entry/fee.a', '{ "type": ')
    expect(findings).toMatchObject([{ code: 'draft.json', component: 'config_entry/fee.a' }])
    expect(draft.version).toBe(1)
    await expect(save('config_entry/fee.a', '{}')).rejects.toEqual(code('conflict.stale_draft'))
    expect((await save('config_entry/fee.a', text(fee('a', '2')), 1)).draft.version).toBe(2)
  })

  it('are deleted if they equal the active content', async () => {
    await save('config_entry/fee.a', text(fee('a', '2')))
    expect(await save('config_entry/fee.a', text(fee('a', '1.0')), 1)).toMatchObject({ unchanged: true })
    expect(org.store.read((reader) => visibleDrafts(reader, null))).toEqual([])
  })

  it('become one generation and are deleted; a draft that changed in the meantime stays', async () => {
    await save('config_entry/fee.a', text(fee('a', '2')))
    await save('config_entry/fee.b', null)
    await save('config_entry/fee.c', 'not yet')
    const ids = ['config_entry/fee.a', 'config_entry/fee.b'] as const
    expect(await org.apply({ source: { kind: 'drafts', ids }, actor: 'admin' })).toMatchObject({
      generation: 3,
      counts: { changed: 1, removed: 1 },
    })
    expect(org.store.read((reader) => visibleDrafts(reader, null)).map(({ id }) => id)).toEqual([
      'config_entry/fee.c',
    ])
    await expect(org.apply({ source: { kind: 'drafts' }, actor: 'admin' })).rejects.toEqual(
      code('deploy.invalid'),
    )
  })

  it('conflict with what was applied to their component since they were started', async () => {
    await save('config_entry/fee.a', text(fee('a', '2')))
    await apply([fee('b', '7')])
    expect(await org.plan({ source: { kind: 'drafts' }, actor: 'admin' })).toMatchObject({
      total: 1,
      refused: false,
    })
    await apply([fee('a', '3')])
    await expect(org.plan({ source: { kind: 'drafts' }, actor: 'admin' })).rejects.toEqual(
      code('conflict.stale_generation'),
    )
  })

  it('that contain another component are a finding', async () => {
    const { findings } = await save('config_entry/fee.a', text(fee('b', '2')))
    expect(findings).toMatchObject([{ code: 'draft.other_component' }])
  })

  it('rename a component, and its references follow', async () => {
    const renamed = {
      from: 'config_set/fee',
      actor: { actor: 'admin', correlationId: 'c' },
      viewer: null,
    } as const
    await org.renameDraft({ ...renamed, toKey: 'charge' })
    expect(await org.apply({ source: { kind: 'drafts' }, actor: 'admin' })).toMatchObject({
      counts: { renamed: 4 },
    })
    expect([...org.pin().view.keys('config_entry')]).toEqual(['charge.a', 'charge.b', 'charge.c'])
    expect(org.pin().slice.sets.has('fee')).toBe(false)
    expect(org.pin().slice.sets.get('charge')!.rowsByKey.size).toBe(3)
    await expect(org.renameDraft({ ...renamed, toKey: 'x' })).rejects.toEqual(code('component.not_found'))
  })
})

describe('the worker', () => {
  it('applies, refuses and plans like this thread', async () => {
    const beside = openOrg(folder, { worker: true })
    const over = (components: unknown[]): ApplyRequest => ({
      source: { kind: 'components', components },
      actor: 'admin',
    })
    expect(await beside.plan(over([fee('a', '2')]))).toMatchObject({ total: 1, base: 2 })
    expect(await beside.apply(over([fee('a', '2')]))).toMatchObject({ generation: 3 })
    expect(beside.pin().view.get('config_entry', 'fee.a')!.body.values).toEqual({ amount: '2.00' })
    await expect(beside.apply(over([fee('a', 'two')]))).rejects.toMatchObject({
      name: 'AlmanacError',
      code: 'deploy.invalid',
      details: [{ component: 'config_entry/fee.a' }],
    })
    await beside.close()
  })

  it('lets others write while it checks', async () => {
    const beside = openOrg(folder, { worker: true })
    const order: string[] = []
    const source = { kind: 'components' as const, components: [fee('a', '2')] }
    const applied = beside.apply({ source, actor: 'admin' }).then(() => order.push('apply'))
    const written = beside
      .write((transactor) => transactor.settings.put('color', '"red"'))
      .then(() => order.push('write'))
    await Promise.all([applied, written])
    expect(order).toEqual(['write', 'apply'])
    await beside.close()
  })

  it('finishes its apply when the org is closed', async () => {
    const beside = openOrg(folder, { worker: true })
    const source = { kind: 'components' as const, components: [fee('a', '2')] }
    const applied = beside.apply({ source, actor: 'admin' })
    await beside.close()
    expect(await applied).toMatchObject({ generation: 3 })
  })
})

describe('init', () => {
  it('creates the administrator and the local client, once', () => {
    expect(org.store.read((reader) => reader.people.users())).toMatchObject([
      { key: 'admin', permissionSets: ['administrator'] },
    ])
    expect(org.pin(1).view.get('integration_client', 'local')!.body.runAs).toBe('admin')
    expect(org.pin(1).view.get('permission_set', 'administrator')!.body.systemPermissions).not.toContain(
      'platform.root',
    )
    expect(() => initOrg(folder, { name: 'T', environment: 'dev' })).toThrow(code('org.exists'))
  })
})
