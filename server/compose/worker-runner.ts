// Runs applies, plans and evidence in a worker thread with a separate connection, so that readers never wait for them.
import { limitItems } from './limit-items.ts'
import { deserializeSlice, type SerializedSlice } from './serialized-slice.ts'
import type { Threads } from './threads.ts'
import { workerCalls } from './worker-calls.ts'
import type { EvidenceBuilder } from '../evaluation/index.ts'
import type { JobRunner, SliceLoader, WriteRunner } from '../pipeline/index.ts'
import { youngMb } from '../system/index.ts'

/** What runs where applies run: in this thread, or in a worker next to the readers. */
export interface Jobs extends JobRunner {
  buildEvidence: EvidenceBuilder
  loadSlice: SliceLoader
}

/** What is sent for each job: the arguments of its call, except for a turn, which stays in the readers' thread. */
export type JobArguments = {
  [K in keyof Jobs]: Parameters<Jobs[K]> extends [WriteRunner, ...infer Sent] ? Sent : Parameters<Jobs[K]>
}

/** The worker starts with the first job and is restarted if it dies. */
export function workerRunner(dir: string, threads: Threads): Jobs {
  const calls = workerCalls(threads, {
    file: new URL('./apply-worker.ts', import.meta.url),
    data: { dir },
    // A large change list makes many short-lived objects; a small nursery keeps the process small.
    resourceLimits: { maxYoungGenerationSizeMb: youngMb.small, maxOldGenerationSizeMb: 4096 },
  })
  const send = <K extends keyof Jobs>(verb: K, ...given: JobArguments[K]): ReturnType<Jobs[K]> =>
    calls.call(verb, given) as ReturnType<Jobs[K]>
  return {
    plan: (request) => send('plan', limitItems(request)),
    commit: (turn, request, kind, companion) =>
      calls.call('commit' satisfies keyof Jobs, [limitItems(request), kind, companion], turn),
    submit: (turn, request, terms) =>
      calls.call('submit' satisfies keyof Jobs, [limitItems(request), terms], turn),
    loadSlice: async (generation, set) => {
      const serialized = await calls.call<SerializedSlice | undefined>('loadSlice' satisfies keyof Jobs, [
        generation,
        set,
      ])
      return serialized === undefined ? undefined : deserializeSlice(serialized)
    },
    buildEvidence: (result) => send('buildEvidence', result),
    verify: () => send('verify'),
    close: () => calls.close(),
  }
}
