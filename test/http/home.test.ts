// The home page over HTTP: what takes effect soon, what waits, and nothing that is hidden from the viewer.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { HomeView } from '#wire/index.ts'
import { runningServer, type TestServer } from '../support/running-server.ts'
import { everything } from '../support/small-org.ts'

let test: TestServer
const day = (offset: number): string => new Date(Date.now() + offset * 86_400_000).toISOString().slice(0, 10)
const home = async (query = ''): Promise<HomeView> => {
  const { status, body } = await test.studio<HomeView>('GET', `/setup/v3/home${query}`)
  expect(status).toBe(200)
  return body
}
const entry = (slug: string, from: string, to: string | null, rate: string): object => ({
  type: 'config_entry',
  key: `vat_rate.${slug}`,
  label: slug,
  body: {
    set: 'vat_rate',
    key: 'ZZ',
    scope: { kind: 'org' },
    effectiveFrom: from,
    effectiveTo: to,
    values: { rate },
  },
})

beforeAll(async () => {
  test = await runningServer()
  const components = [
    ...everything,
    entry('zz_1', '2020-01-01', day(30), '0.19'),
    entry('zz_2', day(30), null, '0.21'),
  ]
  const { status, body } = await test.studio('POST', '/metadata/v3/apply', {
    components,
    rationale: 'A rate rises',
  })
  expect(status, JSON.stringify(body)).toBe(200)
})
afterAll(() => test.close())

describe('the home page', () => {
  it('shows what takes effect within the requested number of days', async () => {
    const found = await home()
    expect(found.days).toMatchObject([
      {
        set: 'vat_rate',
        day: day(30),
        total: 1,
        changes: [{ key: 'ZZ', entry: 'vat_rate.zz_2', before: '0.1900', after: '0.2100' }],
      },
    ])
    expect((await home('?days=29')).days).toEqual([])
  })

  it('shows what was applied, own drafts and those that are outdated', async () => {
    const draft = { text: JSON.stringify(entry('zz_2', day(30), null, '0.22')), version: 0 }
    await test.studio('PUT', '/setup/v3/drafts/config_entry/vat_rate.zz_2', draft)
    expect(await home()).toMatchObject({
      drafts: [{ id: 'config_entry/vat_rate.zz_2', state: 'changed' }],
      draftsTotal: 1,
      othersTotal: 0,
      conflicts: [],
    })
    const { status } = await test.studio('POST', '/metadata/v3/apply', {
      components: [entry('zz_2', day(30), null, '0.23')],
      rationale: 'Another rate',
    })
    expect(status).toBe(200)
    const found = await home()
    expect(found.conflicts).toMatchObject([{ id: 'config_entry/vat_rate.zz_2' }])
    expect(found.applied[0]).toMatchObject({
      rationale: 'Another rate',
      total: 1,
      changes: [{ after: '0.2300' }],
    })
  })

  it('shows an own request that was rejected, with the reason', async () => {
    const path = '/metadata/v3/change-requests'
    const components = [entry('zz_2', day(30), null, '0.24')]
    const { body } = await test.studio('POST', path, { components, title: 'Too high' })
    const { id } = body as unknown as { id: string }
    expect((await home()).rejected).toEqual([])
    await test.studio('POST', `${path}/${id}/reject`, { reason: 'Not before July' })
    const found = await home()
    expect(found.rejected).toMatchObject([{ id, title: 'Too high', reason: 'Not before July' }])
    expect(found.requests).toEqual([])
  })

  it.each(['0', '367', 'ten'])('refuses days=%s', async (days) => {
    expect((await test.studio('GET', `/setup/v3/home?days=${days}`)).status).toBe(400)
  })
})
