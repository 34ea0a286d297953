import { afterEach, expect, it, vi } from 'vitest'
import type { EventStream, StreamHandlers } from './event-stream.ts'
import { reconnectSharedStream, shareStream } from './shared-stream.ts'

/** A connection of a tab to the server. */
interface Connection extends StreamHandlers {
  tab: string
  closed: boolean
}

const connections: Connection[] = []
const open = (): Connection[] => connections.filter(({ closed }) => !closed)
const tabs: EventStream[] = []

/** A tab, and what its pages are notified of. */
function openTab(tab: string): { stream: EventStream; log: string[] } {
  const log: string[] = []
  const connect = (handlers: StreamHandlers): EventStream => {
    const mine: Connection = { ...handlers, tab, closed: false }
    connections.push(mine)
    return { reopen: () => undefined, close: () => (mine.closed = true) }
  }
  const stream = shareStream(connect)({
    onEvent: (kind, text) => log.push(`${kind} ${text}`),
    onOpen: (isNew) => log.push(isNew ? 'open, new' : 'open'),
    onLost: () => log.push('lost'),
  })
  tabs.push(stream)
  return { stream, log }
}

const connected = async (tab: string): Promise<Connection> => {
  await vi.waitFor(() => expect(open().map((each) => each.tab)).toEqual([tab]))
  return open()[0]!
}

afterEach(() => {
  for (const tab of tabs.splice(0)) tab.close()
  connections.length = 0
})

it('one tab has the connection, and all tabs receive its events and its state', async () => {
  const first = openTab('first')
  const connection = await connected('first')
  const second = openTab('second')
  connection.onOpen(false)
  await vi.waitFor(() => expect(second.log).toEqual(['open']))
  const third = openTab('third')
  await vi.waitFor(() => expect(third.log).toEqual(['open']))
  connection.onEvent('draft', '1')
  connection.onLost()
  connection.onOpen(false)
  connection.onEvent('draft', '2')
  await vi.waitFor(() => expect(third.log).toEqual(['open', 'draft 1', 'lost', 'open', 'draft 2']))
  expect(first.log).toEqual(third.log)
  expect(connections).toHaveLength(1)
})

it('when the tab with the connection closes, the next one connects and every tab learns of the gap', async () => {
  const first = openTab('first')
  const connection = await connected('first')
  connection.onOpen(false)
  const second = openTab('second')
  await vi.waitFor(() => expect(second.log).toEqual(['open']))
  const third = openTab('third')
  await vi.waitFor(() => expect(third.log).toEqual(['open']))
  first.stream.close()
  const next = await connected('second')
  next.onOpen(false)
  next.onEvent('draft', '3')
  await vi.waitFor(() => expect(third.log).toEqual(['open', 'open, new', 'draft 3']))
  expect(second.log.slice(-2)).toEqual(['open, new', 'draft 3'])
  expect(first.log).toEqual(['open'])
})

it('any tab can ask for a new connection, and so can a sign-in', async () => {
  openTab('first')
  const connection = await connected('first')
  connection.onLost()
  const second = openTab('second')
  await vi.waitFor(() => expect(second.log).toEqual(['lost']))
  second.stream.reopen()
  await vi.waitFor(() => expect(connections).toHaveLength(2))
  expect(connections.map(({ tab, closed }) => [tab, closed])).toEqual([
    ['first', true],
    ['first', false],
  ])
  connections[1]!.onOpen(false)
  await vi.waitFor(() => expect(second.log).toEqual(['lost', 'open']))
  reconnectSharedStream()
  await vi.waitFor(() => expect(connections).toHaveLength(3))
  connections[2]!.onOpen(false)
  await vi.waitFor(() => expect(second.log).toEqual(['lost', 'open', 'open, new']))
})

it('a tab that leaves before its turn never connects', async () => {
  const first = openTab('first')
  const connection = await connected('first')
  const second = openTab('second')
  openTab('third')
  second.stream.close()
  first.stream.close()
  expect(connection.closed).toBe(true)
  await connected('third')
})

it('a page that the browser keeps gives the connection away, and reports a gap when it is shown again', async () => {
  const page = new EventTarget()
  vi.stubGlobal('addEventListener', page.addEventListener.bind(page))
  const first = openTab('first')
  vi.unstubAllGlobals()
  const connection = await connected('first')
  connection.onOpen(false)
  const second = openTab('second')
  await vi.waitFor(() => expect(second.log).toEqual(['open']))
  page.dispatchEvent(new Event('pagehide'))
  const next = await connected('second')
  next.onOpen(false)
  page.dispatchEvent(new Event('pageshow'))
  await vi.waitFor(() => expect(first.log).toEqual(['open', 'open, new']))
  // It is a member once: no event arrives twice.
  page.dispatchEvent(new Event('pageshow'))
  next.onEvent('draft', '4')
  await vi.waitFor(() => expect(first.log).toEqual(['open', 'open, new', 'draft 4']))
})
