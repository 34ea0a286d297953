// Faults that the suite must find: a route that holds the readers' thread, one that takes much memory, one that sleeps.
import { z } from 'zod'
import { defineRoute, type Route } from '../../server/http/route.ts'
import { routes } from '../../server/http/routes/index.ts'

const blocksMs = 200
const sleepsMs = 5000
const takesMegabytes = 400

export function plantFaults(): void {
  ;(routes as Route[]).push(
    planted('blocks', () => {
      // Of processor time: on a busy machine the clock runs on without the thread.
      for (const started = workOf(); workOf() - started < blocksMs;);
    }),
    planted('sleeps', () => {
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, sleepsMs)
    }),
    planted('allocates', () => {
      const kept = Array.from({ length: takesMegabytes }, () => Buffer.alloc(1024 * 1024, 1))
      return { buffers: kept.length }
    }),
  )
}

function workOf(): number {
  const { user, system } = process.threadCpuUsage()
  return (user + system) / 1000
}

function planted(name: string, handle: () => unknown): Route {
  return defineRoute({
    method: 'post',
    path: `/planted/${name}`,
    name: `planted-${name}`,
    summary: 'A fault of a test',
    effect: 'reads',
    body: z.strictObject({ text: z.string() }),
    errors: [],
    handle,
  })
}
