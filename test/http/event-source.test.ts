// A program follows a channel with a library for server-sent events, which reconnects with the cursor that it has.
import { EventSource } from 'eventsource'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { apply } from '../support/billing-org.ts'
import { runningServer, type TestServer } from '../support/running-server.ts'

let test: TestServer
beforeAll(async () => {
  test = await runningServer()
  const body = {
    ...{ schema: [{ key: 'text', type: 'text' }], partitions: 1 },
    ...{ read: { administrator: 'read' }, publish: { administrator: 'publish' } },
  }
  await apply(test.studio, [
    { type: 'event_channel', key: 'note', label: 'Note', body },
    {
      ...{ type: 'integration_client', key: 'follower', label: 'Follower' },
      body: { authScheme: 'api_key', runAs: 'admin' },
    },
  ])
})
afterAll(() => test.close())

it('receives each event once, in order, through a connection that breaks', async () => {
  const { token } = await test.beside(({ access }) =>
    access.issueToken({ actor: 'admin', correlationId: 'c', isOperator: true } as never, 'follower'),
  )
  const publish = async (text: string): Promise<void> => {
    const { status } = await test.studio('POST', '/events/v3/channels/note/publish', { payload: { text } })
    expect(status).toBe(202)
  }
  const asked: (string | null)[] = []
  let network = new AbortController()
  const source = new EventSource(`${test.url}/events/v3/channels/note/subscribe?from=earliest`, {
    fetch: (url, init) => {
      const headers = new Headers(init.headers)
      asked.push(headers.get('last-event-id'))
      headers.set('authorization', `Bearer ${token}`)
      return fetch(url, { ...init, headers, signal: AbortSignal.any([init.signal, network.signal]) })
    },
  })
  const received: { text: string; sequence: string; cursor: string }[] = []
  const listeners = new Set<() => void>()
  source.addEventListener('event', ({ data, lastEventId }) => {
    const { payload, sequence } = JSON.parse(data as string) as {
      payload: { text: string }
      sequence: string
    }
    received.push({ text: payload.text, sequence, cursor: lastEventId })
    for (const listener of listeners) listener()
  })
  const reached = (count: number): Promise<void> =>
    new Promise((resolve) => {
      const look = (): unknown => received.length >= count && resolve()
      listeners.add(look)
      look()
    })
  try {
    await publish('one')
    await publish('two')
    await reached(2)
    const broken = network
    network = new AbortController()
    broken.abort(new TypeError('The connection is lost.'))
    // While it is not connected.
    await publish('three')
    await publish('four')
    await reached(4)
    expect(received.map(({ text }) => text)).toEqual(['one', 'two', 'three', 'four'])
    expect(received.map(({ sequence }) => sequence)).toEqual(['1', '2', '3', '4'])
    expect(asked[0]).toBe(null)
    expect(asked.at(-1)).toBe(received[1]!.cursor)
  } finally {
    source.close()
  }
})
