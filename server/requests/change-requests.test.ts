// Dates, drafts, restarts and interrupted work of change requests, with a clock that the test controls.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import type { ComponentId } from '#kernel/components/component.ts'
import { AlmanacError } from '#kernel/errors/almanac-error.ts'
import type { ChangeRequestSummary } from '#kernel/requests/index.ts'
import { fee, feeSet } from '../../test/support/fees.ts'
import { enginesOf, type Engines } from '../compose/engines.ts'
import { initOrg, openOrg, type OpenOptions } from '../compose/open-org.ts'
import type { FaultPoint, Org } from '../pipeline/index.ts'
import { startDueRunner, type ChangeRequestFeedEvent, type ChangeRequests } from './index.ts'
import { visibleDraft, visibleDrafts } from '../pipeline/index.ts'

const approver = {
  type: 'permission_set',
  key: 'approver',
  label: 'Approver',
  body: { systemPermissions: ['deploy.approve'] },
}

const admin = { actor: 'admin', correlationId: 'test' }
const ben = { actor: 'ben', correlationId: 'test' }

let dir: string
let org: Org
let engines: Engines
let requests: ChangeRequests
let today: string
const clock = { now: () => `${today}T12:00:00.000Z`, today: () => today }

function open(options: OpenOptions = {}): void {
  const opened = openOrg(dir, { clock, ...options })
  org = opened
  engines = enginesOf(opened)
  requests = engines.requests
}

beforeEach(async () => {
  today = '2026-03-01'
  dir = mkdtempSync(join(tmpdir(), 'almanac-requests-'))
  await initOrg(dir, { name: 'Requests', environment: 'prod' }, { clock }).close()
  open()
  const components = [feeSet(), approver, fee('a', '1'), fee('b', '1')]
  await org.apply({ source: { kind: 'components', components }, actor: 'admin' })
  await engines.access.addUser(admin, { key: 'ben', name: 'Ben', permissionSets: ['approver'] })
  await requests.setRequiredApprovals(admin, 1)
})
afterEach(async () => {
  await org.close()
  rmSync(dir, { recursive: true, force: true })
})

/** A request by admin, approved by ben by default. */
async function createRequest(
  amount: string,
  { applyOn, approved = true, key = 'a' }: { applyOn?: string; approved?: boolean; key?: string } = {},
): Promise<ChangeRequestSummary> {
  const { request } = await requests.create(admin, {
    source: { kind: 'components', components: [fee(key, amount)] },
    rationale: `to ${amount}`,
    applyOn,
  })
  return approved ? requests.approve(ben, request.id, { digest: request.digest }) : request
}

const stateOf = async (id: string): Promise<string> => (await requests.get(admin, id)).state
const amountOf = (key: string): unknown =>
  org.pin().view.get('config_entry', `fee.${key}`)?.body.values['amount']

describe('a change request with a date', () => {
  it('applies on that date and not earlier', async () => {
    const { id } = await createRequest('2', { applyOn: '2026-03-03' })
    expect(await requests.applyDue()).toBe(0)
    today = '2026-03-02'
    expect(await requests.applyDue()).toBe(0)
    today = '2026-03-03'
    expect(await requests.applyDue()).toBe(1)
    expect([await stateOf(id), amountOf('a')]).toEqual(['applied', '2.00'])
    const row = org.store.read((reader) => reader.generations.get(reader.generations.active()))
    expect(row).toMatchObject({
      actor: 'admin',
      rationale: 'to 2',
      request: { id, author: 'admin', approvers: ['ben'], appliedBy: null },
    })
    expect(await requests.applyDue()).toBe(0)
  })

  it('is applied after a restart even if its date has passed, oldest first', async () => {
    const later = await createRequest('3', { applyOn: '2026-03-05' })
    const first = await createRequest('2', { applyOn: '2026-03-04', key: 'b' })
    await org.close()
    today = '2026-03-09'
    open()
    expect(await requests.applyDue()).toBe(2)
    const [one, two] = [await requests.get(admin, first.id), await requests.get(admin, later.id)]
    expect([one.state, two.state]).toEqual(['applied', 'applied'])
    expect(two.generation! - one.generation!).toBe(1)
  })

  it('fails if a check fails on that day, and waits again with a new date', async () => {
    const { id } = await createRequest('2', { applyOn: '2026-03-03' })
    const other = await createRequest('5')
    await requests.apply(admin, other.id, {})
    today = '2026-03-03'
    expect(await requests.applyDue()).toBe(1)
    const failed = await requests.get(admin, id)
    expect(failed).toMatchObject({
      state: 'failed',
      failure: { code: 'conflict.stale_generation' },
      standing: {
        generation: 3,
        stale: 'conflict.stale_generation',
        message: expect.stringContaining('Generation 3 changed config_entry/fee.a') as string,
        conflicts: [{ id: 'config_entry/fee.a' }],
      },
    })
    expect(amountOf('a')).toBe('5.00')
    // It is not retried automatically.
    expect(await requests.applyDue()).toBe(0)
    const kept = await requests.edit(admin, id, { revision: 1, base: org.activeGeneration() })
    expect(kept.request).toMatchObject({ state: 'open', failure: null, applyOn: '2026-03-03' })
    await requests.approve(ben, id, { digest: kept.request.digest })
    expect(await requests.applyDue()).toBe(1)
    expect(amountOf('a')).toBe('2.00')
  })

  it('can be approved until the end of its day, and fails the day after', async () => {
    const { id, digest } = await createRequest('2', { applyOn: '2026-03-03', approved: false })
    const late = await createRequest('2', { applyOn: '2026-03-03', approved: false, key: 'b' })
    today = '2026-03-03'
    expect(await requests.applyDue()).toBe(0)
    await requests.approve(ben, id, { digest })
    expect(await requests.applyDue()).toBe(1)
    today = '2026-03-04'
    expect(await requests.applyDue()).toBe(1)
    expect(await requests.get(admin, late.id)).toMatchObject({
      state: 'failed',
      failure: { code: 'deploy.approval_required' },
    })
    // An edit does not keep a past date.
    const { request } = await requests.edit(admin, late.id, { revision: 1, title: 'Again' })
    expect(request).toMatchObject({ state: 'open', applyOn: null, failure: null, title: 'Again' })
  })

  it('waits for another process that is writing, and is not marked as failed', async () => {
    const { id } = await createRequest('2', { applyOn: today })
    const busy = new AlmanacError('org.busy', 'Another process is writing.')
    const beside = enginesOf({
      ...openOrg(dir, { clock }),
      apply: () => Promise.reject(busy),
    })
    expect(await beside.requests.applyDue()).toBe(0)
    expect(await stateOf(id)).toBe('approved')
    await beside.org.close()
  })

  it('is not marked if a user edited it during the attempt', async () => {
    const { id, revision } = await createRequest('2', { applyOn: today })
    const beside = enginesOf({
      ...openOrg(dir, { clock }),
      apply: async () => {
        await requests.edit(admin, id, { revision, title: 'In between' })
        throw new AlmanacError('conflict.stale_plan', 'It was edited.')
      },
    })
    expect(await beside.requests.applyDue()).toBe(0)
    expect(await requests.get(admin, id)).toMatchObject({ state: 'open', failure: null, title: 'In between' })
    await beside.org.close()
  })

  it('does not block the others if something unexpected happens', async () => {
    const first = await createRequest('2', { applyOn: today })
    const second = await createRequest('2', { applyOn: today, key: 'b' })
    const opened = openOrg(dir, { clock })
    const beside = enginesOf({
      ...opened,
      apply: (request, kind) => {
        const { source } = request
        if (source.kind === 'request' && source.id === first.id) throw new Error('disk full')
        return opened.apply(request, kind)
      },
    })
    await expect(beside.requests.applyDue()).rejects.toThrow('disk full')
    expect([await stateOf(first.id), await stateOf(second.id)]).toEqual(['approved', 'applied'])
    await opened.close()
  })

  it('is polled until the server stops', async () => {
    vi.useFakeTimers()
    let looks = 0
    const errors: unknown[] = []
    const applyDue = (): Promise<number> => {
      looks += 1
      return looks === 1 ? Promise.reject(new Error('disk full')) : Promise.resolve(0)
    }
    const runner = startDueRunner({
      requests: { applyDue },
      onError: (error) => errors.push(error),
      everyMs: 1000,
    })
    await vi.advanceTimersByTimeAsync(999)
    expect([looks, errors.length]).toEqual([1, 1])
    await vi.advanceTimersByTimeAsync(2001)
    expect([looks, errors.length]).toEqual([4, 1])
    await runner.stop()
    await vi.advanceTimersByTimeAsync(10_000)
    expect(looks).toBe(4)
    vi.useRealTimers()
  })
})

describe('a change request of drafts', () => {
  const draft = async (id: ComponentId, text: string): Promise<void> => {
    const version = org.store.read((reader) => visibleDraft(reader, id, null))?.version ?? 0
    await org.saveDraft({ id, text, version, actor: { actor: 'admin', correlationId: 'c' }, viewer: null })
  }
  const drafts = (): ComponentId[] =>
    org.store.read((reader) => visibleDrafts(reader, null).map(({ id }) => id))

  it('leaves the drafts unchanged, and deletes its own drafts when it applies', async () => {
    await draft('config_entry/fee.a', JSON.stringify(fee('a', '2')))
    await draft('config_entry/fee.b', JSON.stringify(fee('b', '2')))
    await draft('config_entry/fee.c', JSON.stringify(fee('c', '2')))
    const ids: ComponentId[] = ['config_entry/fee.a', 'config_entry/fee.b']
    const { request } = await requests.create(admin, { source: { kind: 'drafts', ids } })
    expect(request.counts).toMatchObject({ changed: 2, added: 0 })
    expect(drafts()).toHaveLength(3)
    // What is typed later is not part of it, and stays.
    await draft('config_entry/fee.b', JSON.stringify(fee('b', '9')))
    await requests.approve(ben, request.id, { digest: request.digest })
    await requests.apply(admin, request.id, {})
    expect([amountOf('a'), amountOf('b'), drafts()]).toEqual([
      '2.00',
      '2.00',
      ['config_entry/fee.b', 'config_entry/fee.c'],
    ])
  })

  it('is edited to resolve its conflicts: mine over theirs, or without a component', async () => {
    await draft('config_entry/fee.a', JSON.stringify(fee('a', '2')))
    await draft('config_entry/fee.b', JSON.stringify(fee('b', '2')))
    const { request } = await requests.create(admin, { source: { kind: 'drafts' } })
    const other = await createRequest('5')
    await requests.apply(admin, other.id, {})
    const { standing } = await requests.get(admin, request.id)
    expect(standing).toMatchObject({ stale: 'conflict.stale_generation', conflicts: [{ mine: {} }] })
    const mine = await requests.edit(admin, request.id, { revision: 1, base: org.activeGeneration() })
    expect(mine.request.counts.changed).toBe(2)
    const theirs = await requests.edit(admin, request.id, { revision: 2, without: ['config_entry/fee.a'] })
    expect(theirs.request.counts.changed).toBe(1)
    expect((await requests.get(admin, request.id)).changes).toHaveLength(1)
  })
})

describe('an apply of a change request', () => {
  it.each<FaultPoint>(['write', 'write_versions', 'write_facts', 'commit'])(
    'neither applies it nor makes a generation if it stops at "%s"',
    async (stage) => {
      const { id, digest } = await createRequest('2')
      await org.close()
      open({
        faultHook: (at) => {
          if (at === stage) throw new Error(`stopped at ${stage}`)
        },
      })
      const before = org.activeGeneration()
      await expect(requests.apply(admin, id, { digest })).rejects.toThrow('stopped')
      await org.close()
      open()
      expect([await stateOf(id), org.activeGeneration()]).toEqual(['approved', before])
      await requests.apply(admin, id, { digest })
      expect([await stateOf(id), org.activeGeneration()]).toEqual(['applied', before + 1])
    },
  )

  it('is refused if the request was edited since the user read it', async () => {
    await requests.setRequiredApprovals(admin, 0)
    const { id, revision } = await createRequest('2', { approved: false })
    await requests.edit(admin, id, { revision, rationale: 'Another reason' })
    const old = { kind: 'request', id, revision, appliedBy: 'ben' } as const
    await expect(org.apply({ source: old, actor: 'admin' })).rejects.toMatchObject({
      code: 'conflict.stale_plan',
    })
  })

  it('is in the audit with every step, and in its generation', async () => {
    const { id, digest } = await createRequest('2')
    await requests.comment(ben, id, 'Fine')
    await requests.apply(ben, id, { digest })
    const rows = org.store.read((reader) => reader.audit.list({ component: `change_request/${id}` }))
    expect(rows.reverse().map(({ kind, actor }) => [kind, actor])).toEqual([
      ['change_request.created', 'admin'],
      ['change_request.approved', 'ben'],
      ['change_request.commented', 'ben'],
      ['change_request.applied', 'ben'],
    ])
    expect(rows[1]).toMatchObject({ before: { state: 'open' }, after: { state: 'approved', digest } })
    const [changed] = org.store.read((reader) =>
      reader.audit.list({ component: 'config_entry/fee.a', limit: 1 }),
    )
    expect(changed).toMatchObject({
      actor: 'admin',
      request: { id, author: 'admin', approvers: ['ben'], appliedBy: 'ben' },
    })
  })
})

describe('the number of approvals', () => {
  it('is set by a user who manages access, and is limited to a number that users can give', async () => {
    await expect(requests.setRequiredApprovals(ben, 0)).rejects.toMatchObject({ code: 'access.denied' })
    await expect(requests.setRequiredApprovals(admin, -1)).rejects.toMatchObject({ code: 'request.invalid' })
    await expect(requests.setRequiredApprovals(admin, 1.5)).rejects.toMatchObject({ code: 'request.invalid' })
    expect(requests.requiredApprovals()).toBe(1)
    const rows = (): unknown[] => org.store.read((reader) => reader.audit.list({ kind: 'setting.changed' }))
    await requests.setRequiredApprovals(admin, 1)
    expect(rows()).toHaveLength(1)
    await requests.setRequiredApprovals(admin, 3)
    expect(rows()).toMatchObject([{ before: { required: 1 }, after: { required: 3 } }, {}])
  })
})

describe('events of change requests', () => {
  it('are reported once each, including those of another process', async () => {
    const events: ChangeRequestFeedEvent[] = []
    const stop = requests.onEvent((each) => events.push(each))
    const { id, digest } = await createRequest('2')
    expect(events.map(({ state, actor }) => [state, actor])).toEqual([
      ['open', 'admin'],
      ['approved', 'ben'],
    ])
    const beside = enginesOf(openOrg(dir, { clock }))
    await beside.requests.apply(admin, id, { digest })
    await beside.org.close()
    requests.poll()
    requests.poll()
    expect(events.slice(2)).toEqual([{ id, state: 'applied', digest, actor: 'admin' }])
    stop()
  })
})
