// Faults that the suite must find: a route that blocks the readers' thread, one that takes much memory, one that
// sleeps.
import { z } from 'zod'
import { defineRoute, type Route } from '../../server/http/route.ts'
import { routes } from '../../server/http/routes/index.ts'

const blocksMs = 200
const sleepsMs = 5000
const takesMegabytes = 400

const text = z.strictObject({ text: z.string() })

/** In processor time: on a busy machine the clock advances without the thread. */
function work(ms: number): void {
  for (const started = workOf(); workOf() - started < ms;);
}

/** Faults that any request triggers. */
const always = [
  planted('blocks', text, () => work(blocksMs)),
  planted('sleeps', text, () => {
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, sleepsMs)
  }),
  planted('allocates', text, () => {
    const kept = Array.from({ length: takesMegabytes }, () => Buffer.alloc(1024 * 1024, 1))
    return { buffers: kept.length }
  }),
]

/** Faults that a small body does not trigger: work per item, per character, per member. */
export const faultsOfBodies: readonly Route[] = [
  planted('items', z.strictObject({ items: z.array(z.string()) }), ({ items }) => work(items.length / 20)),
  planted('characters', text, (body) => work(body.text.length / 5000)),
  planted('members', z.strictObject({ map: z.record(z.string(), z.number()) }), ({ map }) =>
    work(Object.keys(map).length / 20),
  ),
]

export function plantFaults(): void {
  ;(routes as Route[]).push(...always, ...faultsOfBodies)
}

function workOf(): number {
  const { user, system } = process.threadCpuUsage()
  return (user + system) / 1000
}

function planted<B extends z.ZodType>(name: string, body: B, handle: (body: z.output<B>) => unknown): Route {
  return defineRoute({
    method: 'post',
    path: `/planted/${name}`,
    name: `planted-${name}`,
    summary: 'A fault of a test',
    effect: 'reads',
    body,
    reply: z.unknown(),
    errors: [],
    handle: (request) => handle(request.body as z.output<B>),
  })
}
