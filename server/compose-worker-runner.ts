// Applies, plans and evidence in a worker thread with its own connection, so that readers never wait for them (bench.md).
import { receivedSlice, type SentSlice } from './compose-sent-slice.ts'
import { workerCalls } from './compose-worker-calls.ts'
import type { EvidenceMaker } from './evaluation/index.ts'
import type { ApplyRequest, JobRunner, SliceMaker } from './pipeline/index.ts'

/** Changes and findings that cross to the readers' thread at most; a longer list would hold it up. */
const MOST = 1000

/** What runs where applies run: in this thread, or in a worker beside the readers. */
export interface Jobs extends JobRunner {
  evidence: EvidenceMaker
  slice: SliceMaker
}

/** What crosses for each job: the arguments of its call. */
export type JobArguments = { [K in keyof Jobs]: Parameters<Jobs[K]> }

/** The worker starts with the first job and is started again should it die. */
export function workerRunner(dir: string): Jobs {
  const calls = workerCalls(new URL('./compose-apply-worker.ts', import.meta.url), dir, {
    // A large change list makes much that lives shortly; a small nursery keeps the process small.
    maxYoungGenerationSizeMb: 32,
    maxOldGenerationSizeMb: 4096,
  })
  const send = <K extends keyof Jobs>(verb: K, ...given: JobArguments[K]): ReturnType<Jobs[K]> =>
    calls.call(verb, given) as ReturnType<Jobs[K]>
  const cut = (request: ApplyRequest): ApplyRequest => ({
    ...request,
    most: Math.min(request.most ?? MOST, MOST),
  })
  return {
    plan: (request) => send('plan', cut(request)),
    apply: async (request, kind, beside) => {
      if (beside !== undefined) throw new Error('What is written beside an apply cannot cross to a worker.')
      return send('apply', cut(request), kind)
    },
    keep: (request, terms) => send('keep', cut(request), terms),
    slice: async (generation, set) => {
      const sent = await calls.call<SentSlice | undefined>('slice', [generation, set])
      return sent === undefined ? undefined : receivedSlice(sent)
    },
    evidence: (result) => send('evidence', result),
    verify: () => send('verify'),
    close: () => calls.close(),
  }
}
