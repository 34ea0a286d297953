// Server-sent events, and generations that another process creates.
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { maxStreams } from '../../server/http/event-hub.ts'
import { runningServer, type TestServer } from '../support/running-server.ts'

let test: TestServer
beforeEach(async () => {
  test = await runningServer()
})
afterEach(() => test.close())

const component = (key: string) => ({ type: 'value_set', key, label: key, body: { values: [] } })

/** Follows the stream until `enough` events arrive or it ends. */
async function follow(
  enough: number,
  act: () => Promise<unknown>,
): Promise<{ event: string; data: unknown }[]> {
  const response = await fetch(`${test.url}/setup/v3/events`, { headers: { cookie: test.cookie } })
  expect(response.headers.get('content-type')).toBe('text/event-stream; charset=utf-8')
  const reader = response.body!.pipeThrough(new TextDecoderStream()).getReader()
  let text = (await reader.read()).value ?? ''
  const acted = act()
  const events = () =>
    [...text.matchAll(/event: (\w+)\ndata: (.*)\n\n/g)].map(([, event, data]) => ({
      event: event!,
      data: JSON.parse(data!) as unknown,
    }))
  while (events().length < enough) {
    const { value, done } = await reader.read()
    if (done) break
    text += value
  }
  await acted
  await reader.cancel().catch(() => undefined)
  return events()
}

describe('events', () => {
  it("are sent to a limited number of one user's windows; closing one makes room", async () => {
    const open = async (): Promise<{ status: number; end: () => void }> => {
      const abort = new AbortController()
      const { signal } = abort
      const response = await fetch(`${test.url}/setup/v3/events`, {
        headers: { cookie: test.cookie },
        signal,
      })
      return { status: response.status, end: () => abort.abort() }
    }
    const streams = await Promise.all(Array.from({ length: maxStreams.studio }, open))
    expect(new Set(streams.map(({ status }) => status))).toEqual(new Set([200]))
    const refused = await test.studio('GET', '/setup/v3/events')
    expect([refused.status, refused.body['code']]).toEqual([429, 'limit.busy'])
    streams[0]!.end()
    await expect.poll(async () => (await open()).status).toBe(200)
  })

  it('report generations and drafts', async () => {
    const events = await follow(2, async () => {
      await test.studio('PUT', '/setup/v3/drafts/value_set/a', {
        text: JSON.stringify(component('a')),
        version: 0,
      })
      await test.studio('POST', '/metadata/v3/apply', { components: [component('b')] })
    })
    expect(events).toEqual([
      { event: 'draft', data: { id: 'value_set/a', version: 1, author: 'admin' } },
      { event: 'generation', data: { generation: 2, actor: 'admin' } },
    ])
  })

  it('report users and groups that changed, even by another process', async () => {
    const by = { actor: 'admin', correlationId: 'c', isOperator: true }
    const group = await follow(1, () =>
      test.studio('PUT', '/setup/v3/groups/tax', { version: null, name: 'Tax', permissionSets: [] }),
    )
    expect(group).toEqual([{ event: 'people', data: { id: 'group/tax', actor: 'admin' } }])
    const user = await follow(1, () =>
      test.beside(({ access }) => access.addUser(by, { key: 'mara', name: 'Mara' })),
    )
    expect(user).toEqual([{ event: 'people', data: { id: 'user/mara', actor: 'admin' } }])
  })

  it('report what another process applied, which is then served', async () => {
    const events = await follow(1, () =>
      test.beside(({ org }) =>
        org.apply({ source: { kind: 'components', components: [component('c')] }, actor: 'admin' }),
      ),
    )
    expect(events).toEqual([{ event: 'generation', data: { generation: 2, actor: 'admin' } }])
    expect((await test.studio('GET', '/metadata/v3/components/value_set/c')).status).toBe(200)
  })

  it('end when the server closes, which does not wait for them', async () => {
    const response = await fetch(`${test.url}/setup/v3/events`, { headers: { cookie: test.cookie } })
    const reader = response.body!.getReader()
    await reader.read()
    const closing = test.server.close()
    for (;;) if ((await reader.read()).done) break
    await closing
    await expect(fetch(`${test.url}/healthz`)).rejects.toThrow()
    test = await runningServer()
  })

  it('require a known user', async () => {
    expect((await test.plain('GET', '/setup/v3/events')).status).toBe(401)
  })
})
