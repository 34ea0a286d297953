// A server in a process of its own, which also watches how long its readers' thread is held at once.
import { z } from 'zod'
import { defineRoute, type Route } from '../../server/http/route.ts'
import { routes } from '../../server/http/routes/index.ts'
import { startServer } from '../../server/index.ts'

export interface Ready {
  kind: 'ready'
  listening: string
  open: string
}

export interface Measured {
  kind: 'measured'
  /** Processor milliseconds that the readers' thread spent between two looks at the clock, at most. */
  own: number
}

export type Command = 'start' | 'stop' | 'end'

const [org, root, planted] = process.argv.slice(2) as [string, string, string]

/** Faults that the suite must find. */
const faults = [
  defineRoute({
    method: 'post',
    path: '/planted/blocks',
    name: 'plantedBlocks',
    summary: 'Holds every reader for 200 ms',
    effect: 'reads',
    body: z.strictObject({ text: z.string() }),
    errors: [],
    handle: () => {
      for (const started = performance.now(); performance.now() - started < 200;);
    },
  }),
  defineRoute({
    method: 'post',
    path: '/planted/allocates',
    name: 'plantedAllocates',
    summary: 'Takes 400 MB for a moment',
    effect: 'reads',
    body: z.strictObject({ text: z.string() }),
    errors: [],
    handle: async () => {
      const kept = Array.from({ length: 40 }, () => Buffer.alloc(10_000_000, 1))
      await new Promise((resolve) => setTimeout(resolve, 200))
      return { bytes: kept.length }
    },
  }),
]
if (planted === 'planted') (routes as Route[]).push(...faults)

const server = await startServer({
  ...{ org, root, host: '127.0.0.1', port: 0, studio: true, sample: true },
})

let own = 0
let last = threadTime()
const look = (): void => {
  const now = threadTime()
  own = Math.max(own, now - last)
  last = now
  setTimeout(look, 1)
}
look()

function threadTime(): number {
  const { user, system } = process.threadCpuUsage()
  return (user + system) / 1000
}

process.on('message', (command: Command) => {
  if (command === 'start' || command === 'stop') process.send!({ kind: 'measured', own } satisfies Measured)
  if (command === 'start') own = 0
  if (command === 'end') void server.close().then(() => process.exit(0))
})
process.send!({ kind: 'ready', listening: server.listening, open: server.open! } satisfies Ready)
