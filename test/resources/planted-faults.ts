// Faults that the suite must find: a route that holds the readers' thread, one that takes much memory, one that sleeps.
import { z } from 'zod'
import { defineRoute, type Route } from '../../server/http/route.ts'
import { routes } from '../../server/http/routes/index.ts'

const blocksMs = 200
const sleepsMs = 5000
const takesMegabytes = 400

const text = z.strictObject({ text: z.string() })

/** Of processor time: on a busy machine the clock runs on without the thread. */
function work(ms: number): void {
  for (const started = workOf(); workOf() - started < ms;);
}

/** Faults of any request. */
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

/** Faults that a small body does not show: work for each item, for each character, for each member. */
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
    errors: [],
    handle: (request) => handle(request.body as z.output<B>),
  })
}
