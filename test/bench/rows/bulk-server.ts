// Bulk jobs in a server: what they leave to readers, and the memory that a job of 5 GB takes.
import { Agent, request } from 'node:http'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { makeClientOrg, memoryOf } from '../support/client-org.ts'
import { roundsOf } from '../support/compare.ts'
import { digits, type Line, type Part } from '../support/part.ts'
import { serve, type Served } from '../support/served.ts'
import { rowComponents, rowLine, rowNames } from './bulk.ts'

const aims = { p99: 25, megabytes: 300 }
const readsPerSecond = 100
const mebibyte = 1024 * 1024
const partBytes = 64 * mebibyte
const known = 1000

const components: readonly object[] = [
  ...rowComponents,
  {
    ...{ type: 'object', key: 'document', label: 'Document' },
    body: {
      fields: [
        { key: 'number', type: 'text', required: true, unique: true },
        { key: 'text', type: 'text' },
      ],
    },
  },
  {
    ...{ type: 'permission_set', key: 'archivist', label: 'Archivist' },
    body: {
      objects: { document: { create: true, read: true, viewAll: true } },
      fields: {
        'document.number': { read: true, edit: true },
        'document.text': { read: true, edit: true },
      },
    },
  },
]
export const bulkServerPart: Part = {
  name: 'bulk-server',
  title: 'Bulk ingest in a server',
  async run({ folder, say }) {
    const isQuick = roundsOf(7) === 1
    const dir = join(folder, 'org')
    const headers = await makeClientOrg(dir, 'Rows', components, ['loader', 'archivist'])
    const served = await serve('event-server', dir)
    const server: Server = { served, headers }
    try {
      await jobOf(server, 'row', rowNames, [rowPart(0, known)])
      say('reads beside a job')
      const ids = await idsOf(server)
      const rows = isQuick ? 5000 : 150_000
      const job = await uploaded(server, 'row', rowNames, [rowPart(known, known + rows)])
      const waits = await readsUntilDone(server, job, ids)
      const p99 = waits[Math.floor(waits.length * 0.99)]!
      // A little less than a job can have.
      const bytes = isQuick ? 8_000_000 : 5_000_000_000
      say(`a job of ${digits(bytes / 1e9)} GB`)
      const megabytes = await memoryOfJob(server, bytes)
      const none = { against: '', ratio: '' }
      const lines: Line[] = [
        {
          ...{ what: 'a read waits (p99)', ...none },
          work: `${readsPerSecond} a second, beside a job of ${rows.toLocaleString('en')} rows`,
          ...{ ours: `${digits(p99)} ms`, aim: `≤ ${aims.p99} ms`, met: p99 <= aims.p99 },
        },
        {
          ...{ what: 'memory of a large job', ...none },
          work: `${digits(bytes / 1e9)} GB of csv, highest growth`,
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
  'The server is a process of its own. A read of a record arrives every 10 ms, whether or not earlier ones are answered, and waits from its arrival until its answer is there. The rows beside it are those of the bulk part. The large job has rows of 20 KB; its memory is the growth of the resident set of the server from before its upload, read ten times a second until its end.',
]

interface Server {
  served: Served
  headers: Readonly<Record<string, string>>
}

type Content = () => Iterable<string>

const rowPart = (from: number, to: number): Content =>
  function* () {
    for (let at = from; at < to; at += 1) yield rowLine('csv', at)
  }

async function ask<T>({ served, headers }: Server, method: string, path: string, body?: object): Promise<T> {
  const response = await fetch(served.url + path, {
    method,
    headers: { ...headers, 'content-type': 'application/json' },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  })
  const text = await response.text()
  if (!response.ok) throw new Error(`${method} ${path} was answered with ${response.status}: ${text}`)
  return JSON.parse(text) as T
}

/** Returns the path of the closed job. */
async function uploaded(
  server: Server,
  object: string,
  columns: readonly string[],
  parts: readonly Content[],
): Promise<string> {
  const request = { object, operation: 'insert', format: 'csv', columns }
  const { id } = await ask<{ id: string }>(server, 'POST', '/data/v3/jobs/ingest', request)
  const path = `/data/v3/jobs/ingest/${id}`
  for (const [index, part] of parts.entries()) await sendPart(server, `${path}/parts/${index + 1}`, part)
  await ask(server, 'POST', `${path}/close`, { parts: parts.length })
  return path
}

function sendPart({ served, headers }: Server, path: string, part: Content): Promise<void> {
  return new Promise((resolve, reject) => {
    const sending = request(served.url + path, {
      method: 'PUT',
      headers: { ...headers, 'content-type': 'text/csv' },
    })
    sending.on('error', reject)
    sending.on('response', (response) => {
      response.resume()
      response.on('end', () =>
        response.statusCode! < 300 ? resolve() : reject(new Error(`${path}: ${response.statusCode}`)),
      )
    })
    const send = async (): Promise<void> => {
      for (const text of part()) {
        if (!sending.write(text)) await new Promise<void>((drained) => void sending.once('drain', drained))
      }
      sending.end()
    }
    send().catch(reject)
  })
}

interface Job {
  state: string
  failed: number
}

async function isDone(server: Server, path: string): Promise<boolean> {
  const job = await ask<Job>(server, 'GET', path)
  if (job.state === 'failed' || job.failed > 0) throw new Error(`A job has failed: ${JSON.stringify(job)}`)
  return job.state === 'completed'
}

async function jobOf(...job: Parameters<typeof uploaded>): Promise<void> {
  const path = await uploaded(...job)
  while (!(await isDone(job[0], path))) await wait(50)
}

async function idsOf(server: Server): Promise<string[]> {
  const query = { object: 'row', fields: ['code'], limit: 200 }
  const { records } = await ask<{ records: { id: string }[] }>(server, 'POST', '/data/v3/query', query)
  return records.map(({ id }) => id)
}

/** Returns the milliseconds of each read, ascending. */
async function readsUntilDone(server: Server, job: string, ids: readonly string[]): Promise<number[]> {
  const waits: number[] = []
  const agent = new Agent({ keepAlive: true, maxSockets: 32 })
  const reads: Promise<void>[] = []
  let isOver = false
  const reading = (async () => {
    const started = performance.now()
    for (let read = 0; !isOver; read += 1) {
      const due = started + (read * 1000) / readsPerSecond
      await wait(Math.max(0, due - performance.now()))
      const path = `/data/v3/row/${ids[read % ids.length]!}`
      reads.push(readOne(server, agent, path).then(() => void waits.push(performance.now() - due)))
    }
  })()
  while (!(await isDone(server, job))) await wait(200)
  isOver = true
  await reading
  await Promise.all(reads)
  agent.destroy()
  return waits.sort((a, b) => a - b)
}

function readOne({ served, headers }: Server, agent: Agent, path: string): Promise<void> {
  return new Promise((resolve, reject) => {
    const reading = request(served.url + path, { agent, headers }, (response) => {
      response.resume()
      response.on('end', () =>
        response.statusCode === 200 ? resolve() : reject(new Error(`${path}: ${response.statusCode}`)),
      )
    })
    reading.on('error', reject)
    reading.end()
  })
}

/** Returns by how many megabytes the server grows at most. */
async function memoryOfJob(server: Server, bytes: number): Promise<number> {
  const text = 'A sentence of the same few words again and again. '.repeat(400)
  const perPart = Math.floor(Math.min(partBytes, bytes) / (text.length + 20))
  const parts = Array.from(
    { length: Math.ceil(bytes / (perPart * (text.length + 20))) },
    (_, part): Content =>
      function* () {
        for (let row = 0; row < perPart; row += 1) yield `N${part}-${row},${text}\n`
      },
  )
  const memory = (): Promise<number> => memoryOf(server.served, server.headers)
  const before = await memory()
  let most = before
  let isOver = false
  const watching = (async () => {
    while (!isOver) {
      most = Math.max(most, await memory())
      await wait(100)
    }
  })()
  try {
    await jobOf(server, 'document', ['number', 'text'], parts)
  } finally {
    isOver = true
    await watching
  }
  return (most - before) / 1_000_000
}
