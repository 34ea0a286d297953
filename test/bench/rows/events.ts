// Events: how fast they are published, delivered and replayed, and what idle subscribers take.
import { Agent, get, request, type ClientRequest } from 'node:http'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { makeClientOrg, memoryOf, type Headers } from '../support/client-org.ts'
import { roundsOf } from '../support/compare.ts'
import { digits, type Line, type Part } from '../support/part.ts'
import { load, serve, type Served } from '../support/served.ts'
import { rateOf } from '../support/turns.ts'

const aims = { publish: 20_000, p99: 25, pace: 2000, replay: 100_000, subscribers: 1000, megabytes: 100 }
/** Events of one request. */
const together = 100

const components = [
  {
    ...{ type: 'object', key: 'task', label: 'Task' },
    body: {
      fields: [
        ...['title', 'owner', 'note'].map((key) => ({ key, type: 'text' })),
        { key: 'amount', type: 'number', precision: 12, scale: 2 },
        { key: 'hidden', type: 'text' },
      ],
      sharing: { ownerField: 'owner' },
      capture: { enabled: true },
    },
  },
  {
    ...{ type: 'event_channel', key: 'paid', label: 'Paid' },
    body: {
      schema: [
        { key: 'number', type: 'text', required: true },
        { key: 'amount', type: 'number', precision: 12, scale: 2 },
        { key: 'text', type: 'text' },
      ],
      ...{ partitionKey: 'number', read: { worker: 'read' }, publish: { worker: 'publish' } },
    },
  },
  {
    ...{ type: 'permission_set', key: 'worker', label: 'Worker' },
    body: {
      objects: { task: { create: true, read: true } },
      fields: Object.fromEntries(
        ['title', 'owner', 'note', 'amount'].map((key) => [`task.${key}`, { read: true, edit: true }]),
      ),
    },
  },
]

export const eventsPart: Part = {
  name: 'events',
  title: 'Events',
  async run({ folder, say }) {
    const isQuick = roundsOf(7) === 1
    const dir = join(folder, 'org')
    const headers = await makeClientOrg(dir, 'Events', components, ['worker'])
    const served = await serve('event-server', dir)
    try {
      say('publish')
      const published = await publish(served, headers, isQuick ? 500 : 5000)
      say('replay')
      const replayed = await replay(served, headers, Math.min(published.events, 100_000))
      say('deliver')
      const latencies = await deliver(served, headers, isQuick ? 500 : 10_000)
      say('subscribers')
      const megabytes = await subscribers(served, headers)
      const none = { against: '', ratio: '' }
      const p99 = latencies[Math.floor(latencies.length * 0.99)]!
      const lines: Line[] = [
        {
          ...{ what: 'publish', work: `${together} events a request, with an fsync`, ...none },
          ...{
            ours: rateOf(published.rate),
            aim: `≥ ${rateOf(aims.publish)}`,
            met: published.rate >= aims.publish,
          },
        },
        {
          ...{ what: 'replay', work: 'a stream from the first event', ...none },
          ...{ ours: rateOf(replayed), aim: `≥ ${rateOf(aims.replay)}`, met: replayed >= aims.replay },
        },
        {
          ...{
            what: 'commit to delivery, p99',
            work: `${rateOf(aims.pace)} changes, each record checked`,
            ...none,
          },
          ...{ ours: `${digits(p99)} ms`, aim: `≤ ${aims.p99} ms`, met: p99 <= aims.p99 },
        },
        {
          ...{ what: 'idle subscribers', work: `${aims.subscribers} streams`, ...none },
          ...{
            ours: `${digits(megabytes)} MB`,
            aim: `≤ ${aims.megabytes} MB`,
            met: megabytes <= aims.megabytes,
          },
        },
      ]
      return { lines, notes }
    } finally {
      await served.stop()
    }
  },
}

const notes = [
  'The server is a process of its own, and so are clients. An event is answered once it is on disk. The time to the delivery begins with the moment that the event itself names as that of its commit, at which its save had not been written yet; the subscriber sees only records that it owns, and each event is checked.',
]

/** Returns how many events there are then, and how many were published a second. */
async function publish(
  served: Served,
  headers: Headers,
  ms: number,
): Promise<{ events: number; rate: number }> {
  let number = 0
  const text = 'A text of the length that an event may have, some eighty characters in all of it.'
  const next = () => {
    const events = Array.from({ length: together }, () => ({
      payload: { number: `N${(number += 1)}`, amount: '12.50', text },
    }))
    return {
      method: 'POST',
      path: '/events/v3/channels/paid/publish',
      body: JSON.stringify({ events }),
    } as const
  }
  const check = (status: number, body: string): void => {
    if (status !== 202) throw new Error(`Events were answered with ${status}: ${body}`)
  }
  await load(served, { connections: 8, ms: Math.min(ms, 1000), headers, next, check })
  const { requests, ms: taken } = await load(served, { connections: 8, ms, headers, next, check })
  return { events: requests * together, rate: (requests * together * 1000) / taken }
}

interface Stream {
  request: ClientRequest
  /** Resolves with the first event. */
  opened: Promise<void>
}

function follow(served: Served, headers: Headers, path: string, onText: (text: string) => void): Stream {
  const opened = Promise.withResolvers<void>()
  const stream = get(`${served.url}/events/v3/channels/${path}`, { headers, agent: false }, (response) => {
    response.setEncoding('utf8')
    response.on('data', (text: string) => {
      opened.resolve()
      onText(text)
    })
    response.on('error', () => undefined)
  })
  stream.on('error', () => undefined)
  return { request: stream, opened: opened.promise }
}

const countOf = (text: string, part: string): number => text.split(part).length - 1

/** Returns events a second. */
async function replay(served: Served, headers: Headers, count: number): Promise<number> {
  let received = 0
  const done = Promise.withResolvers<void>()
  const started = performance.now()
  const { request: stream } = follow(served, headers, 'paid/subscribe?from=earliest', (text) => {
    received += countOf(text, 'event: event\n')
    if (received >= count) done.resolve()
  })
  await done.promise
  const ms = performance.now() - started
  stream.destroy()
  return (received * 1000) / ms
}

/** Returns the milliseconds of each event from its commit to its arrival, ascending. */
async function deliver(served: Served, headers: Headers, count: number): Promise<number[]> {
  const latencies: number[] = []
  let rest = ''
  const { request: stream, opened } = follow(served, headers, 'changes.task/subscribe', (text) => {
    const now = Date.now()
    const frames = (rest + text).split('\n\n')
    rest = frames.pop()!
    for (const frame of frames) {
      const at = /"commitTs":"([^"]+)"/.exec(frame)?.[1]
      if (at !== undefined) latencies.push(now - Date.parse(at))
    }
  })
  await opened
  let number = 0
  const next = () => {
    number += 1
    const body = JSON.stringify({
      title: `T${number}`,
      owner: number % 2 === 0 ? 'ada' : 'bob',
      amount: '1.50',
    })
    return { method: 'POST', path: '/data/v3/task', body } as const
  }
  const check = (status: number, body: string): void => {
    if (status !== 201) throw new Error(`A record was answered with ${status}: ${body}`)
  }
  // Each turn of 5 ms sends its share, whether those before it are answered or not.
  const perTurn = aims.pace / 200
  const started = performance.now()
  const answers: Promise<void>[] = []
  for (let turn = 0; turn * perTurn < count; turn += 1) {
    for (let sent = 0; sent < perTurn; sent += 1) answers.push(post(served, headers, next(), check))
    await wait(Math.max(0, started + turn * 5 - performance.now()))
  }
  await Promise.all(answers)
  while (latencies.length < count / 2) await wait(20)
  stream.destroy()
  agent.destroy()
  // The first events load the code.
  return latencies.slice(Math.min(500, latencies.length / 10)).sort((a, b) => a - b)
}

const agent = new Agent({ keepAlive: true, maxSockets: 64 })

/** Without Fetch, whose processor time would delay what is measured. */
function post(
  { url }: Served,
  headers: Headers,
  { path, body }: { path: string; body: string },
  check: (status: number, body: string) => void,
): Promise<void> {
  return new Promise((resolve, reject) => {
    const sent = { ...headers, 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) }
    const posting = request(url + path, { method: 'POST', agent, headers: sent }, (response) => {
      let text = ''
      response.setEncoding('utf8')
      response.on('data', (chunk: string) => (text += chunk))
      response.on('end', () => {
        check(response.statusCode ?? 0, text)
        resolve()
      })
    })
    posting.on('error', reject)
    posting.end(body)
  })
}

/** Returns by how many megabytes the process of the server grows. */
async function subscribers(served: Served, headers: Headers): Promise<number> {
  const before = await memoryOf(served, headers)
  const streams = Array.from({ length: aims.subscribers }, () =>
    follow(served, headers, 'paid/subscribe', () => undefined),
  )
  await Promise.all(streams.map(({ opened }) => opened))
  await wait(2000)
  const grown = (await memoryOf(served, headers)) - before
  for (const { request: stream } of streams) stream.destroy()
  return grown / 1_000_000
}
