// Stored values that were computed for an app: jobs, the impact of a change list and a recompute keep the app.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { appScopeComponents, deskRate } from '../support/app-scope.ts'
import { apply, signIn } from '../support/billing-org.ts'
import { runningServer, type Ask, type TestServer } from '../support/running-server.ts'

interface Saved {
  id: string
  version: number
  fields: Record<string, unknown>
}
interface Explained {
  bound: { binding: { generation: number; scopePath: Record<string, string> } }
  present: { value: string; differs: boolean; steps: { resolution: { entry: string } }[] }
}
interface Impact {
  fields: { field: string; changed: number; items: { name: string; now: string; after: string }[] }[]
}

let test: TestServer
let ada: Ask
beforeAll(async () => {
  test = await runningServer()
  await apply(test.studio, appScopeComponents())
  const permissionSets = ['clerk', 'administrator']
  ;({ ada } = (await signIn(test, [{ key: 'ada', permissionSets }])) as { ada: Ask })
})
afterAll(() => test.close())

/** An offer that was saved in an app, with a part of size 3. */
async function offer(name: string, app?: string): Promise<string> {
  const headers: Record<string, string> = app === undefined ? {} : { 'x-app': app }
  const { body } = await ada<Saved>('POST', '/data/v3/offer', { name }, headers)
  await ada('POST', '/data/v3/part', { offer: body.id, size: '3' })
  return body.id
}
const read = async (id: string): Promise<unknown[]> => {
  const { body } = await ada<Saved>('GET', `/data/v3/offer/${id}`)
  return [body.fields['price'], body.fields['large']]
}
const explain = async (id: string, headers: Record<string, string> = {}): Promise<Explained> =>
  (await ada<Explained>('GET', `/data/v3/offer/${id}/values/price`, undefined, headers)).body

async function run(kind: string, headers: Record<string, string> = {}): Promise<void> {
  const { status, body, text } = await ada<{ id: string }>(
    'POST',
    '/setup/v3/jobs',
    { kind, object: 'offer' },
    headers,
  )
  expect([status, text]).toEqual([202, expect.anything()])
  const state = async (): Promise<unknown> =>
    (await ada<{ state: string }>('GET', `/setup/v3/jobs/${body.id}`)).body.state
  await expect.poll(state).toBe('completed')
}
const unrelated = (label: string): Promise<void> =>
  apply(test.studio, [{ type: 'value_set', key: 'unrelated', label, body: { values: [] } }])

describe('values that were computed for an app', () => {
  it.each(['recompute', 'rebind'])('keep the app in a job: %s', async (kind) => {
    const [desk, org] = [await offer('Desk', 'desk'), await offer('Org')]
    await unrelated(kind)
    const before = await explain(desk)
    expect(before.present).toMatchObject({ value: '20.00', differs: false })
    await run(kind)
    const after = await explain(desk)
    expect(after.bound.binding.scopePath).toEqual({ app: 'desk' })
    if (kind === 'rebind')
      expect(after.bound.binding.generation).toBeGreaterThan(before.bound.binding.generation)
    expect([await read(desk), await read(org)]).toEqual([
      ['20.00', '1'],
      ['10.00', '1'],
    ])
    // The app that the job was started in is not that of the values.
    await unrelated(`${kind} again`)
    await run(kind, { 'x-app': 'shop' })
    expect([await read(desk), await read(org)]).toEqual([
      ['20.00', '1'],
      ['10.00', '1'],
    ])
  })

  it('keep the app in a recompute of one record, unless it names an app', async () => {
    const id = await offer('One', 'desk')
    const recompute = async (headers: Record<string, string> = {}): Promise<unknown> =>
      (await ada<Saved>('POST', `/data/v3/offer/${id}/recompute`, undefined, headers)).body.fields['price']
    expect(await recompute()).toBe('20.00')
    expect((await explain(id, { 'x-app': 'shop' })).present).toMatchObject({
      ...{ value: '50.00', differs: true },
      steps: [{ resolution: { entry: 'markup.shop' } }],
    })
    expect(await recompute({ 'x-app': 'shop' })).toBe('50.00')
    expect((await explain(id)).bound.binding.scopePath).toEqual({ app: 'shop' })
    expect(await recompute()).toBe('50.00')
  })

  it('are counted by the impact of a change of the entry of their app', async () => {
    const [desk, shop] = [await offer('Of desk', 'desk'), await offer('Of shop', 'shop')]
    const impact = async (headers: Record<string, string> = {}): Promise<Impact['fields']> => {
      const sent = { components: deskRate('4') }
      const { body } = await ada<Impact>('POST', '/metadata/v3/impact/records', sent, headers)
      return body.fields
    }
    const [price] = await impact()
    const names = price!.items.map(({ name }) => name)
    expect(price).toMatchObject({ field: 'price', changed: names.length })
    expect(names).toContain('Of desk')
    expect(names).not.toContain('Of shop')
    expect(new Set(price!.items.map(({ now, after }) => `${now} ${after}`))).toEqual(new Set(['20.00 40.00']))
    expect(await impact({ 'x-app': 'shop' })).toEqual(await impact())

    await apply(test.studio, deskRate('4'))
    await run('recompute')
    expect([await read(desk), await read(shop)]).toEqual([
      ['40.00', '0'],
      ['50.00', '0'],
    ])
  })
})

it('values that were computed for an app keep it when it is renamed', async () => {
  await apply(test.studio, deskRate('2'))
  const id = await offer('Renamed', 'desk')
  const renamed = (key: string, renamedFrom: string): object => ({
    ...{ type: 'app', key, label: 'Counter', renamedFrom },
    body: { objects: ['offer'] },
  })
  await apply(test.studio, [renamed('counter', 'desk')])
  expect((await explain(id)).present).toMatchObject({ value: '20.00', differs: false })
  const impact = async (app: string, ...others: object[]): Promise<unknown> => {
    const [entry] = deskRate('4') as { body: object }[]
    const components = [{ ...entry, body: { ...entry!.body, scope: { kind: 'app', app } } }, ...others]
    const { body } = await ada<Impact>('POST', '/metadata/v3/impact/records', { components, limit: 100 })
    const price = body.fields.find(({ field }) => field === 'price')
    return price?.items.find(({ name }) => name === 'Renamed')
  }
  expect(await impact('counter')).toMatchObject({ now: '20.00', after: '40.00' })
  expect(await impact('till', renamed('till', 'counter'))).toMatchObject({ now: '20.00', after: '40.00' })
  await run('rebind')
  expect(await read(id)).toEqual(['20.00', '1'])
  expect((await explain(id)).bound.binding.scopePath).toEqual({ app: 'counter' })
})
