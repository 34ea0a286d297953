// Change requests on the kernel, the engine and over HTTP (docs/reference/pipeline-and-approvals.md).
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { refusalOf, type ChangeRequestApproval, type ChangeRequestSummary } from '#kernel/requests/index.ts'
import { plainRow, range } from './ground.ts'
import { requestEngineTarget } from './request-engine-target.ts'
import { requestHttpTarget } from './request-http-target.ts'
import { people, type RequestOrg, type RequestOutcome } from './request-target.ts'
import { requestCases, type RequestCase, type Role } from './requests.table.ts'

const users: Readonly<Record<Role, string>> = { author: 'ann', approver: 'ben', reader: 'cal' }
const described = ({ action, by, state, code }: RequestCase): string =>
  `${code === null ? 'lets' : `refuses (${code})`} the ${by} ${action} one that is ${state}`

const rated = (rate: string) => ({ components: [plainRow({ rate })], rationale: `to ${rate}` })
const requireRequest = (outcome: RequestOutcome): ChangeRequestSummary => {
  if (!outcome.ok) throw new Error(`${outcome.code}: ${outcome.message}`)
  return outcome.request
}

describe('a change request in the kernel', () => {
  const approval: ChangeRequestApproval = {
    ...{ approver: 'ben', digest: 'd', at: '', comment: '', voidedAt: null },
    counts: true,
  }
  it.each(requestCases.map((each) => [described(each), each] as const))(
    '%s',
    (_, { action, by, state, code }) => {
      const request = {
        ...{ id: 'r', state, author: 'ann', requiredApprovals: 1 },
        approvals: state === 'open' ? [] : [approval],
      }
      const approves = people[users[by]]!.includes('approvers')
      expect(refusalOf(action, request, { user: users[by], canApprove: approves })?.code ?? null).toBe(code)
    },
  )
})

describe.each([requestEngineTarget, requestHttpTarget])('a change request over $name', (target) => {
  let org: RequestOrg
  let rate = 0.2

  /** A request by ann in a state. */
  async function requestIn(state: RequestCase['state']): Promise<ChangeRequestSummary> {
    rate += 0.0001
    const request = requireRequest(await org.create('ann', rated(rate.toFixed(4))))
    if (state === 'open') return request
    if (state === 'rejected') return requireRequest(await org.act('ben', 'reject', request.id))
    if (state === 'withdrawn') return requireRequest(await org.act('ann', 'withdraw', request.id))
    const approved = requireRequest(await org.act('ben', 'approve', request.id))
    return state === 'approved' ? approved : requireRequest(await org.act('ann', 'apply', request.id))
  }

  describe('if the org requires it', () => {
    beforeAll(async () => {
      org = await target.start()
      await org.require(1)
    })
    afterAll(() => org.close())

    it.each(requestCases.map((each) => [described(each), each] as const))('%s', async (_, each) => {
      const request = await requestIn(each.state)
      expect(request.state).toBe(each.state)
      const outcome = await org.act(users[each.by], each.action, request.id)
      expect(outcome.ok ? null : outcome.code).toBe(each.code)
    })
  })

  describe('', () => {
    beforeEach(async () => {
      org = await target.start()
    })
    afterEach(() => org.close())

    it('is the only way to change the org, and applies what was approved', async () => {
      await org.require(1)
      const before = await org.activeGeneration()
      expect(await org.apply([plainRow({ rate: '0.3' })])).toMatchObject({
        ok: false,
        code: 'deploy.approval_required',
      })
      expect(await org.rollback(1)).toMatchObject({ ok: false, code: 'deploy.approval_required' })
      expect(await org.activeGeneration()).toBe(before)
      // An apply that changes nothing is not an apply.
      expect(await org.apply([plainRow({})])).toMatchObject({ ok: true, generation: before })

      const request = requireRequest(await org.create('ann', rated('0.3')))
      expect(request).toMatchObject({ state: 'open', requiredApprovals: 1, approvals: [], revision: 1 })
      const approved = requireRequest(await org.act('ben', 'approve', request.id))
      expect(approved).toMatchObject({
        state: 'approved',
        approvals: [{ approver: 'ben', digest: request.digest, counts: true, voidedAt: null }],
      })
      const done = requireRequest(await org.act('ben', 'apply', request.id))
      expect(done).toMatchObject({ state: 'applied', generation: before + 1 })
      expect(await org.activeGeneration()).toBe(before + 1)
    })

    it('rolls back too', async () => {
      await org.apply([plainRow({ rate: '0.3' })])
      await org.require(1)
      const active = await org.activeGeneration()
      const request = requireRequest(await org.create('ann', { generation: active - 1 }))
      expect(request).toMatchObject({ rollbackTo: active - 1, counts: { changed: 1 } })
      await org.act('ben', 'approve', request.id)
      requireRequest(await org.act('ann', 'apply', request.id))
      expect(await org.apply([plainRow({})])).toMatchObject({ ok: true, generation: active + 1 })
    })

    it('binds approvals to the digest that was reviewed', async () => {
      await org.require(1)
      const request = requireRequest(await org.create('ann', rated('0.3')))
      const edited = requireRequest(await org.act('ann', 'edit', request.id, rated('0.4')))
      expect(edited.digest).not.toBe(request.digest)
      const stale = await org.act('ben', 'approve', request.id, { digest: request.digest })
      expect(stale).toMatchObject({ ok: false, code: 'conflict.stale_plan' })
      // The same change list with a different rationale is a new revision.
      const reworded = requireRequest(await org.act('ann', 'edit', request.id, { rationale: 'Better said' }))
      expect(reworded).toMatchObject({ digest: edited.digest, revision: 3, rationale: 'Better said' })
      const old = await org.act('ben', 'approve', request.id, { revision: 2 })
      expect(old).toMatchObject({ ok: false, code: 'conflict.stale_plan' })
      expect(await org.act('ann', 'edit', request.id, { revision: 2, title: 'x' })).toMatchObject({
        ok: false,
        code: 'conflict.stale_plan',
      })
    })

    it('loses its approvals with an edit, and keeps them as void', async () => {
      await org.require(1)
      const request = requireRequest(await org.create('ann', rated('0.3')))
      await org.act('ben', 'approve', request.id)
      const edited = requireRequest(await org.act('ann', 'edit', request.id, { rationale: 'Reworded' }))
      expect(edited).toMatchObject({ state: 'open', approvals: [{ approver: 'ben', counts: false }] })
      expect(edited.approvals[0]!.voidedAt).not.toBeNull()
      expect(await org.act('ben', 'apply', request.id)).toMatchObject({
        ok: false,
        code: 'deploy.approval_required',
      })
      const again = requireRequest(await org.act('ben', 'approve', request.id))
      expect(again.approvals.map(({ counts }) => counts)).toEqual([false, true])
      expect(again.state).toBe('approved')
    })

    it('needs as many approvers as the org requires now, each of whom can still approve', async () => {
      await org.require(2)
      const request = requireRequest(await org.create('ann', rated('0.3')))
      await org.act('ben', 'approve', request.id)
      // Two approvals by one user count once.
      expect(requireRequest(await org.act('ben', 'approve', request.id))).toMatchObject({ state: 'open' })
      expect(requireRequest(await org.act('admin', 'approve', request.id))).toMatchObject({
        state: 'approved',
      })
      await org.assign('ben', [])
      expect(await org.act('admin', 'apply', request.id)).toMatchObject({
        ok: false,
        code: 'deploy.approval_required',
      })
      // A request with fewer approvals than required does not pass.
      await org.require(1)
      expect(await org.act('admin', 'apply', request.id)).toMatchObject({ code: 'deploy.approval_required' })
      await org.assign('ben', people['ben']!)
      expect(requireRequest(await org.act('admin', 'apply', request.id)).state).toBe('applied')
    })

    it('applies with the permissions of its author, who must still hold them', async () => {
      const request = requireRequest(await org.create('ann', rated('0.3')))
      await org.assign('ann', ['authors'])
      const denied = await org.act('ben', 'apply', request.id)
      expect(denied).toMatchObject({ ok: false, code: 'access.denied' })
      await org.assign('ann', people['ann']!)
      expect(requireRequest(await org.act('ben', 'apply', request.id)).state).toBe('applied')
    })

    it('names the permission that each of its changes lacks, and waits nevertheless', async () => {
      await org.assign('cal', ['authors'])
      const request = requireRequest(await org.create('cal', rated('0.3')))
      const { changes } = await org.look('cal', request.id)
      expect(changes).toMatchObject([{ id: 'config_entry/plain.de', lacks: 'edit:plain' }])
      expect(await org.act('cal', 'apply', request.id)).toMatchObject({ ok: false, code: 'access.denied' })
    })

    it('hides values from users who cannot see them, and does not exist for a user who sees none of it', async () => {
      const request = requireRequest(
        await org.create('ann', {
          components: [plainRow({ rate: '0.3' }), range('de_2', '2021-06-01', null)],
        }),
      )
      const seen = await org.look('ann', request.id)
      expect(seen).toMatchObject({ hidden: 0, changes: [{ id: 'config_entry/dated.de_2' }, {}] })
      // An approver is shown how much is hidden from them.
      for (const user of ['ben', 'cal']) {
        const { changes, hidden, findings } = await org.look(user, request.id)
        expect([user, changes, hidden]).toEqual([user, [], 2])
        expect(JSON.stringify(findings)).not.toContain('2021')
      }
      expect((await org.list('cal')).map(({ id }) => id)).toEqual([request.id])
      expect(await org.list('dan')).toEqual([])
      expect(await org.act('dan', 'comment', request.id)).toMatchObject({
        ok: false,
        code: 'change_request.not_found',
      })
    })

    it('is compared three ways if others changed the same component', async () => {
      const request = requireRequest(await org.create('ann', rated('0.3')))
      await org.apply([plainRow({ rate: '0.25' })])
      const { standing } = await org.look('ann', request.id)
      expect(standing).toMatchObject({
        stale: 'conflict.stale_generation',
        conflicts: [
          {
            id: 'config_entry/plain.de',
            base: { body: { values: { rate: '0.1900' } } },
            theirs: { body: { values: { rate: '0.2500' } } },
            mine: { body: { values: { rate: '0.3000' } } },
          },
        ],
      })
      // An approver who cannot see the values is shown that there is a conflict, but not of what.
      const { standing: hidden } = await org.look('ben', request.id)
      expect(hidden).toMatchObject({ stale: 'conflict.stale_generation', conflicts: [] })
      expect(JSON.stringify(hidden)).not.toContain('plain')
      expect(await org.act('ann', 'apply', request.id)).toMatchObject({
        ok: false,
        code: 'conflict.stale_generation',
      })
      const base = await org.activeGeneration()
      const edited = requireRequest(await org.act('ann', 'edit', request.id, { ...rated('0.3'), base }))
      expect((await org.look('ann', request.id)).standing).toMatchObject({ stale: null, generation: base })
      // 19 → 30 was submitted, and 25 → 30 is a different change.
      expect(edited.digest).not.toBe(request.digest)
      expect(requireRequest(await org.act('ann', 'apply', request.id)).state).toBe('applied')
    })

    it('differs from what was approved if others applied a part of it', async () => {
      const later = [range('de_2', '2021-01-01', '2099-01-01'), range('de_3', '2099-01-01', null)]
      const request = requireRequest(
        await org.create('ann', { components: [plainRow({ rate: '0.3' }), ...later], rationale: 'Both' }),
      )
      expect((await org.look('ann', request.id)).standing).toMatchObject({ stale: null })
      await org.apply([plainRow({ rate: '0.3' })])
      expect((await org.look('ann', request.id)).standing).toMatchObject({ stale: 'conflict.stale_plan' })
      expect(await org.act('ann', 'apply', request.id)).toMatchObject({
        ok: false,
        code: 'conflict.stale_plan',
      })
      // Unrelated changes do not matter; the author reviews it again, and it applies.
      const renewed = requireRequest(await org.act('ann', 'edit', request.id))
      expect(renewed.digest).not.toBe(request.digest)
      expect(requireRequest(await org.act('ann', 'apply', request.id)).state).toBe('applied')
    })

    it('waits with its findings, and does not apply with errors', async () => {
      const request = requireRequest(
        await org.create('ann', { components: [range('de_2', '2021-06-01', null)] }),
      )
      expect(request).toMatchObject({ errors: 1, state: 'approved' })
      const { findings } = await org.look('ben', request.id)
      expect(findings.map(({ code }) => code)).toContain('config.range_gap')
      expect(await org.act('ben', 'apply', request.id)).toMatchObject({ ok: false, code: 'deploy.invalid' })
    })

    it('is refused if it cannot be read, changes nothing, or is already waiting', async () => {
      const unreadable = { components: [{ type: 'config_entry', key: 'plain.de', body: { sett: 1 } }] }
      expect(await org.create('ann', unreadable)).toMatchObject({ ok: false, code: 'deploy.invalid' })
      expect(await org.create('ann', { components: [plainRow({})] })).toMatchObject({
        ok: false,
        code: 'request.invalid',
      })
      const request = requireRequest(await org.create('ann', rated('0.3')))
      expect(await org.create('ann', rated('0.3'))).toMatchObject({
        ok: false,
        code: 'conflict.exists',
        details: [{ id: request.id }],
      })
      const renamed = { ...rated('0.3'), title: 'Different title', rationale: 'Different rationale' }
      expect(await org.create('ann', renamed)).toMatchObject({
        ok: false,
        code: 'conflict.exists',
        details: [{ id: request.id }],
      })
      await org.act('ann', 'withdraw', request.id)
      expect((await org.create('ann', rated('0.3'))).ok).toBe(true)
      expect(await org.create('ann', { ...rated('0.4'), changeDigest: request.changeDigest! })).toMatchObject(
        {
          ok: false,
          code: 'conflict.stale_plan',
        },
      )
      expect(await org.act('ann', 'schedule', request.id, { applyOn: '2020-01-01' })).toMatchObject({
        ok: false,
      })
      expect(await org.create('ann', { ...rated('0.4'), applyOn: '2020-01-01' })).toMatchObject({
        ok: false,
        code: 'request.invalid',
      })
    })

    it('applies on its date, when every check runs again, and reports a failure', async () => {
      const today = new Date().toISOString().slice(0, 10)
      await org.require(1)
      const good = requireRequest(await org.create('ann', { ...rated('0.3'), applyOn: today }))
      const bad = requireRequest(
        await org.create('ann', { components: [range('de_2', '2021-06-01', null)], applyOn: today }),
      )
      const open = requireRequest(await org.create('ann', { ...rated('0.4'), applyOn: today }))
      for (const { id } of [good, bad]) await org.act('ben', 'approve', id)
      const before = await org.activeGeneration()
      await org.applyDue()
      expect(await org.activeGeneration()).toBe(before + 1)
      expect(await org.look('ann', good.id)).toMatchObject({
        state: 'applied',
        generation: before + 1,
      })
      const failed = await org.look('ann', bad.id)
      expect(failed).toMatchObject({ state: 'failed', failure: { code: 'deploy.invalid' } })
      expect(failed.failure!.findings.map(({ code }) => code)).toContain('config.range_gap')
      // Its day is not over, so it can still be approved.
      expect((await org.look('ann', open.id)).state).toBe('open')
      expect(await org.act('ben', 'apply', bad.id)).toMatchObject({
        ok: false,
        code: 'conflict.request_state',
      })
      const later = requireRequest(await org.act('ann', 'schedule', bad.id, { applyOn: null }))
      expect(later).toMatchObject({ state: 'approved', applyOn: null, failure: null })
      expect((await org.list('ann', ['applied'])).map(({ id }) => id)).toEqual([good.id])
      expect((await org.list('ann', ['open', 'approved'])).map(({ id }) => id)).toEqual([open.id, bad.id])
    })
  })
})
