// A plan belongs to one org and one base generation: applying it anywhere else is refused
// (docs/reference/pipeline-and-approvals.md).
import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
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

it.each(['plan', 'apply', 'change-requests'])('%s refuses the plan of a different org', async (verb) => {
  const digest = verb === 'plan' ? {} : { changeDigest: plan.changeDigest }
  const sent = { ...list, ...digest, base: plan.base, rationale: 'Because.' }
  const answer = await test.studio('POST', `/metadata/v3/${verb}`, { ...sent, lineage: other })
  expect([answer.status, answer.body]).toMatchObject([
    409,
    { code: 'conflict.stale_plan', details: [{ lineage: other, found: plan.lineage }] },
  ])
})

describe('a plan whose base has changed', () => {
  const group = (key: string, label: string) => ({ ...readers, key, label })
  const applied = async (...components: object[]) => {
    const { status } = await test.studio('POST', '/metadata/v3/apply', { components })
    expect(status).toBe(200)
  }
  const planOf = async (components: object[]) =>
    (await test.studio<{ plan: typeof plan }>('POST', '/metadata/v3/plan', { components })).body.plan

  it.each(['apply', 'change-requests'])('is refused by %s, with its base and without', async (verb) => {
    const key = `moved_${verb.replace('-', '_')}`
    await applied(group(key, 'One'))
    const components = [group(key, 'Ten')]
    const { lineage, base, changeDigest } = await planOf(components)
    await applied(group(key, 'Eleven'))
    const active = (await planOf(components)).base
    for (const named of [
      { changeDigest },
      { lineage, base, changeDigest },
      { lineage, planBase: base, changeDigest },
      { lineage, base: active, planBase: base, changeDigest },
    ]) {
      const sent = { components, ...named, rationale: 'Because.' }
      const answer = await test.studio('POST', `/metadata/v3/${verb}`, sent)
      expect([named, answer.status, answer.body['code']]).toEqual([named, 409, 'conflict.stale_plan'])
    }
  })

  it('is refused if only other components changed, and applies without a base', async () => {
    await applied(group('untouched', 'One'))
    const components = [group('untouched', 'Ten')]
    const { lineage, base, changeDigest } = await planOf(components)
    await applied(group('beside', 'Beside'))
    const named = { components, lineage, changeDigest }
    const refused = await test.studio('POST', '/metadata/v3/apply', { ...named, base })
    expect([refused.status, refused.body['code']]).toEqual([409, 'conflict.stale_plan'])
    const { status } = await test.studio('POST', '/metadata/v3/apply', named)
    expect(status).toBe(200)
  })
})
