// Rollback and revert as change lists over HTTP: planned, validated, submitted and applied like any other.
import { afterAll, beforeAll, expect, it } from 'vitest'
import { runningServer, type TestServer } from '../support/running-server.ts'
import { fee, feeSet } from '../support/fees.ts'

interface Answer {
  generation: number
  code: string
  detail: string
  details: { id: string }[]
  findings: { code: string }[]
  changes: { id: string; kind: string }[]
  plan: { lineage: string; base: number; changeDigest: string }
  title: string
}

let test: TestServer
const post = async (path: string, body: object): Promise<{ status: number; body: Answer }> =>
  (await test.studio('POST', `/metadata/v3/${path}`, body)) as never
const flag = (expiresOn: string) => ({
  type: 'feature_flag',
  key: 'beta',
  label: 'Beta',
  body: {
    owner: { user: 'admin' },
    expiresOn,
    rationale: 'Two offices.',
    default: false,
    scopes: ['org'],
    edit: { administrator: 'edit' },
  },
})
const apply = async (...components: object[]): Promise<number> =>
  (await post('apply', { components })).body.generation

let doubled: number
let shortened: number
beforeAll(async () => {
  test = await runningServer()
  await apply(feeSet(), fee('a', '1'), fee('b', '1'), flag('2040-12-31'))
  doubled = await apply(fee('a', '2'), fee('b', '2'))
  await apply(fee('b', '3'))
  shortened = await apply(flag('2035-12-31'))
})
afterAll(() => test.close())

it('a revert is planned like any change list, and applied as it was reviewed', async () => {
  const revert = { generation: doubled, without: ['config_entry/fee.b'] }
  const planned = await post('plan', { revert })
  expect([planned.status, planned.body.changes]).toMatchObject([
    200,
    [{ id: 'config_entry/fee.a', kind: 'changed' }],
  ])
  const { base, lineage, changeDigest } = planned.body.plan
  const other = await post('revert', {
    ...{ generation: doubled, components: ['config_entry/fee.a'] },
    ...{ base, lineage, changeDigest: changeDigest.replace(/.$/, (last) => (last === '0' ? '1' : '0')) },
  })
  expect([other.status, other.body.code]).toEqual([409, 'conflict.stale_plan'])
  const done = await post('revert', { ...revert, base, lineage, changeDigest, rationale: 'A typing error.' })
  expect([done.status, done.body.changes]).toMatchObject([200, [{ id: 'config_entry/fee.a' }]])
})

it('a component that changed since is a conflict with three versions', async () => {
  const refused = await post('plan', { revert: { generation: doubled } })
  expect([refused.status, refused.body]).toMatchObject([
    409,
    { code: 'conflict.stale_generation', details: [{ id: 'config_entry/fee.b' }] },
  ])
})

it('an extended flag without a rationale is refused before approval is requested', async () => {
  for (const list of [{ generation: shortened - 1 }, { revert: { generation: shortened } }]) {
    const planned = await post('plan', list)
    expect(planned.body.findings).toMatchObject([{ code: 'flag.rationale' }])
    const submitted = await post('change-requests', list)
    expect([submitted.status, submitted.body.detail]).toEqual([
      422,
      expect.stringMatching(/^Nothing was submitted\. /),
    ])
  }
})

it('the rationale applies to the flags that a list extends, in a request too', async () => {
  const submitted = await post('change-requests', {
    revert: { generation: shortened },
    rationale: 'The trial goes on.',
  })
  expect([submitted.status, submitted.body.findings]).toEqual([201, []])
  const done = await post('rollback', { generation: shortened - 1, rationale: 'The trial goes on.' })
  expect(done.status).toBe(200)
})

it('a change list is exactly one of components, drafts, a generation or a revert', async () => {
  const refused = await post('plan', { revert: { generation: doubled }, drafts: true })
  expect(refused.body.code).toBe('request.malformed')
})
