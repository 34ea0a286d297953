// A plan is of one org: an apply that names another lineage is refused, whatever its digest (completions 4).
import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { runningServer, type TestServer } from '../support/running-server.ts'
import { readers } from '../support/small-org.ts'

let test: TestServer
const list = { components: [readers] }
const other = randomUUID()
let plan: { lineage: string; base: number; changeDigest: string }

beforeAll(async () => {
  test = await runningServer()
  plan = (await test.studio<{ plan: typeof plan }>('POST', '/metadata/v3/plan', list)).body.plan
})
afterAll(() => test.close())

it.each(['plan', 'apply', 'change-requests'])('%s refuses the plan of another org', async (verb) => {
  const digest = verb === 'plan' ? {} : { changeDigest: plan.changeDigest }
  const sent = { ...list, ...digest, base: plan.base, rationale: 'Because.' }
  const answer = await test.studio('POST', `/metadata/v3/${verb}`, { ...sent, lineage: other })
  expect([answer.status, answer.body]).toMatchObject([
    409,
    { code: 'conflict.stale_plan', details: [{ lineage: other, found: plan.lineage }] },
  ])
})

it('what was planned here is applied here, also where the base moved beside it', async () => {
  const beside = { components: [{ ...readers, key: 'others' }] }
  expect((await test.studio('POST', '/metadata/v3/apply', beside)).status).toBe(200)
  const { lineage, base, changeDigest } = plan
  const answer = await test.studio('POST', '/metadata/v3/apply', { ...list, lineage, base, changeDigest })
  expect([answer.status, answer.body['generation']]).toEqual([200, 3])
})
