// Reverts and rollbacks as change lists, tested on a real org in a folder.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { fee, feeSet } from '../../test/support/fees.ts'
import { enginesOf } from '../compose/engines.ts'
import { initOrg, type OpenedOrg } from '../compose/open-org.ts'
import { saveDraftBatch } from './draft-batch.ts'
import type { ApplyOutcome, ApplyRequest, RevertSource } from './request.ts'

let folder: string
let org: OpenedOrg

const apply = (components: unknown[], request: Partial<ApplyRequest> = {}): Promise<ApplyOutcome> =>
  org.apply({ source: { kind: 'components', components }, actor: 'admin', ...request })
const revertOf = (generation: number, more: Partial<RevertSource> = {}): ApplyRequest => ({
  source: { kind: 'revert', generation, ...more },
  actor: 'admin',
})
const revert = (generation: number, more?: Partial<RevertSource>): Promise<ApplyOutcome> =>
  org.apply(revertOf(generation, more))
const code = (expected: string): Error => expect.objectContaining({ code: expected }) as Error
const amountOf = (key: string): unknown =>
  org.pin().view.get('config_entry', `fee.${key}`)?.body.values['amount']
const remove = (...removals: string[]): Promise<ApplyOutcome> =>
  org.apply({
    source: { kind: 'components', components: [], removals: removals as never },
    actor: 'admin',
  })

/** Restores like the studio: each restored component is a draft of the administrator. */
const throughDrafts = async (generation: number): Promise<void> => {
  const { changes } = await org.plan(revertOf(generation))
  const drafts = [...changes].map(({ change }) => ({
    ...{ id: change.id, version: 0, restores: generation - 1 },
    text: JSON.stringify('after' in change ? change.after : null),
  }))
  const by = { actor: 'admin', correlationId: '' }
  await org.write((transactor) =>
    saveDraftBatch(transactor, { drafts, actor: by, viewer: null }, org.clock, org.sha256),
  )
  // A draft that is saved again restores the same component.
  const [{ id, text }] = drafts as [(typeof drafts)[0]]
  await org.saveDraft({ id, text: `${text} `, version: 1, actor: by, viewer: null })
  await org.apply({ source: { kind: 'drafts' }, actor: 'admin' })
}
const throughRequest = async (generation: number): Promise<void> => {
  const { requests } = enginesOf(org)
  const by = { actor: 'admin', correlationId: '' }
  const { source } = revertOf(generation)
  const { request } = await requests.create(by, { source, title: 'Back' })
  await requests.apply(by, request.id, {})
}

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'almanac-revert-'))
  org = initOrg(folder, { name: 'T', environment: 'dev' })
  await apply([feeSet(), fee('a', '1'), fee('b', '1'), fee('c', '1')])
})
afterEach(async () => {
  await org.close()
  rmSync(folder, { recursive: true, force: true })
})

describe('a revert', () => {
  it('undoes one generation out of order and keeps later changes', async () => {
    await apply([fee('a', '2'), fee('b', '2')])
    await apply([fee('c', '3')])
    const plan = await org.plan(revertOf(3))
    expect(plan).toMatchObject({ base: 4, counts: { changed: 2, added: 0, removed: 0 }, findings: [] })
    const outcome = await revert(3)
    expect(outcome).toMatchObject({ generation: 5 })
    expect(['a', 'b', 'c'].map(amountOf)).toEqual(['1.00', '1.00', '3.00'])
    expect(org.store.read((reader) => reader.generations.get(5))).toMatchObject({ kind: 'revert' })
  })

  it('restores a removed component with its identity, unlike a list that creates it again', async () => {
    const identity = (key: string): unknown =>
      org.store.read((reader) => reader.identities.at(reader.generations.active(), `config_entry/fee.${key}`))
    const [a, b] = ['a', 'b'].map(identity)
    const { generation } = await remove('config_entry/fee.a', 'config_entry/fee.b')
    await revert(generation, { components: ['config_entry/fee.a'] })
    await apply([fee('b', '1')])
    expect(identity('a')).toEqual(a)
    expect(identity('b')).not.toEqual(b)
  })

  it.each(['directly', 'through drafts', 'through a request'] as const)(
    'restores removed components with their identity %s, in a set that was renamed since',
    async (door) => {
      const now = (id: string): unknown =>
        org.store.read((reader) => reader.identities.at(reader.generations.active(), id as never))
      const was = [now('config_entry/fee.a'), now('config_entry/fee.b')]
      const { generation } = await remove('config_entry/fee.a', 'config_entry/fee.b')
      await apply([{ ...feeSet(), key: 'charge', renamedFrom: 'fee' }])
      if (door === 'directly') await revert(generation!)
      else if (door === 'through drafts') await throughDrafts(generation!)
      else await throughRequest(generation!)
      expect([now('config_entry/charge.a'), now('config_entry/charge.b')]).toEqual(was)
    },
  )

  it('undoes one change of a generation and leaves the others', async () => {
    await apply([fee('a', '2'), fee('b', '2')])
    await revert(3, { components: ['config_entry/fee.b'] })
    expect(['a', 'b'].map(amountOf)).toEqual(['2.00', '1.00'])
    await expect(revert(3, { components: ['config_entry/fee.c'] })).rejects.toEqual(
      code('component.not_found'),
    )
  })

  it('restores what was removed and removes what was added', async () => {
    await remove('config_entry/fee.a')
    await apply([fee('d', '4')])
    await revert(3)
    await revert(4)
    expect(['a', 'd'].map(amountOf)).toEqual(['1.00', undefined])
  })

  it('shows what changed since as three versions and overwrites nothing', async () => {
    await apply([fee('a', '2'), fee('b', '2')])
    await apply([fee('a', '3')])
    const refused = (await revert(3).catch((error: unknown) => error)) as { details: unknown[] }
    expect(refused).toEqual(code('conflict.stale_generation'))
    expect(refused.details).toMatchObject([
      {
        id: 'config_entry/fee.a',
        base: { body: { values: { amount: '2.00' } } },
        theirs: { body: { values: { amount: '3.00' } } },
        mine: { body: { values: { amount: '1.00' } } },
      },
    ])
    expect(org.activeGeneration()).toBe(4)
  })

  it('succeeds once each conflict is left unchanged or resolved', async () => {
    await apply([fee('a', '2'), fee('b', '2'), fee('c', '2')])
    await apply([fee('a', '3'), fee('b', '3')])
    await revert(3, {
      without: ['config_entry/fee.a'],
      settled: [{ id: 'config_entry/fee.b', after: fee('b', '1.5') }],
    })
    expect(['a', 'b', 'c'].map(amountOf)).toEqual(['3.00', '1.50', '1.00'])
  })

  it('keeps in the audit what a resolved text and the author confirm', async () => {
    await apply([fee('a', '2'), fee('b', '2'), fee('c', '2')])
    await apply([fee('a', '3')])
    const { generation } = await revert(3, {
      settled: [{ id: 'config_entry/fee.a', after: { ...fee('a', '1.5'), breaking: true } }],
      breaking: ['config_entry/fee.b'],
    })
    const rows = org.store.read((reader) => [...reader.audit.list({ generation })])
    expect(rows.map(({ component, hints }) => [component, hints?.breaking]).sort()).toEqual([
      ['config_entry/fee.a', true],
      ['config_entry/fee.b', true],
      ['config_entry/fee.c', undefined],
    ])
  })

  it('is refused if what was resolved has changed again', async () => {
    await apply([fee('a', '2')])
    await apply([fee('a', '3')])
    await apply([fee('a', '4')])
    const settled = [{ id: 'config_entry/fee.a', after: fee('a', '1') } as const]
    await expect(org.apply({ ...revertOf(3, { settled }), base: 4 })).rejects.toEqual(
      code('conflict.stale_generation'),
    )
    expect(amountOf('a')).toBe('4.00')
  })

  it('follows what was renamed since', async () => {
    await apply([fee('a', '2')])
    await apply([{ ...feeSet(), key: 'charge', renamedFrom: 'fee' }])
    await revert(3)
    const entry = org.pin().view.get('config_entry', 'charge.a')
    expect(entry?.body).toMatchObject({ set: 'charge', values: { amount: '1.00' } })
  })

  it('undoes a rename, and references to the name follow', async () => {
    await apply([{ ...feeSet(), key: 'charge', renamedFrom: 'fee' }])
    const body = { set: 'charge', key: 'd', scope: { kind: 'org' }, values: { amount: '4' } }
    await apply([{ type: 'config_entry', key: 'charge.d', label: 'd', body }])
    const { changes } = await org.plan(revertOf(3))
    expect([...changes].map(({ change }) => change.kind)).toContain('renamed')
    await revert(3)
    const { view } = org.pin()
    expect([view.has('config_set', 'charge'), view.get('config_entry', 'fee.d')?.body.set]).toEqual([
      false,
      'fee',
    ])
  })

  it('of a generation that does not exist names the existing ones', async () => {
    for (const generation of [1, 0, 9])
      await expect(revert(generation)).rejects.toEqual(code('generation.not_found'))
  })
})

const flag = (expiresOn: string, rationale: string) => ({
  type: 'feature_flag',
  key: 'beta',
  label: 'Beta',
  body: {
    owner: { user: 'admin' },
    expiresOn,
    rationale,
    default: false,
    scopes: ['org'],
    edit: { administrator: 'edit' },
  },
})

describe('restored flags', () => {
  beforeEach(async () => {
    await apply([flag('2040-12-31', 'Two offices.')])
    await apply([flag('2035-12-31', 'Two offices.')])
  })
  const rationaleOf = (): unknown => org.pin().view.get('feature_flag', 'beta')?.body.rationale

  it('are extended with the rationale of the rollback', async () => {
    await org.rollback(3, { actor: 'admin', rationale: 'The trial goes on.' })
    expect(org.pin().view.get('feature_flag', 'beta')?.body).toMatchObject({
      expiresOn: '2040-12-31',
      rationale: 'The trial goes on.',
    })
  })

  it('are extended with the rationale of the revert', async () => {
    await org.apply({ ...revertOf(4), rationale: 'The trial goes on.' })
    expect(rationaleOf()).toBe('The trial goes on.')
  })

  it('are not extended by a rationale that they had before, under any key', async () => {
    await apply([{ ...flag('2034-12-31', 'Three offices.'), key: 'gamma', renamedFrom: 'beta' }])
    const longer = { ...flag('2041-12-31', 'Two offices.'), key: 'gamma' }
    await expect(apply([longer])).rejects.toThrow(/the flag had this one before/)
    const renamed = { ...longer, key: 'delta', renamedFrom: 'gamma' }
    await expect(apply([renamed])).rejects.toThrow(/the flag had this one before/)
    await expect(org.rollback(3, { actor: 'admin', rationale: 'Two offices.' })).rejects.toThrow(
      /the flag had this one before/,
    )
    await org.rollback(3, { actor: 'admin', rationale: 'The trial goes on.' })
    expect(rationaleOf()).toBe('The trial goes on.')
  })

  it('are the first of their kind if they are created again', async () => {
    await remove('feature_flag/beta')
    await apply([flag('2030-12-31', 'Another trial.')])
    await apply([flag('2031-12-31', 'Two offices.')])
    expect(rationaleOf()).toBe('Two offices.')
  })

  it('without a rationale are an error of the plan, and cannot be submitted for approval', async () => {
    for (const source of [
      { kind: 'generation', generation: 3 },
      { kind: 'revert', generation: 4 },
    ] as const) {
      const plan = await org.plan({ source, actor: 'admin' })
      expect(plan.findings).toMatchObject([{ severity: 'error', code: 'flag.rationale' }])
      const terms = { id: 'r', revision: null, title: '', applyOn: null }
      await expect(org.submit({ source, actor: 'admin' }, terms)).rejects.toThrow(/^Nothing was submitted\./)
    }
  })
})
