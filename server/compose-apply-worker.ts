// The worker's side: one job at a time, over a connection of its own.
import { parentPort, workerData } from 'node:worker_threads'
import { openJobs } from './compose.ts'
import { answerCalls } from './compose-worker-calls.ts'
import type { JobArguments, Jobs } from './compose-worker-runner.ts'
import type { PlanOutcome } from './pipeline/index.ts'

const jobs = openJobs((workerData as { dir: string }).dir)

const verbs: { [K in keyof Jobs]: (...given: JobArguments[K]) => Promise<unknown> } = {
  plan: async (request) => crossing(await jobs.plan(request)),
  apply: async (request, kind) => crossing(await jobs.apply(request, kind)),
  keep: async (request, terms) => crossing(await jobs.keep(request, terms)),
  evidence: (result) => jobs.evidence(result),
  close: () => jobs.close(),
}

answerCalls(parentPort!, (verb, given) =>
  (verbs[verb as keyof Jobs] as (...each: unknown[]) => Promise<unknown>)(...(given as unknown[])),
)

/** Rows are made here: what makes them does not cross to another thread. */
function crossing<O extends PlanOutcome>(outcome: O): O {
  return { ...outcome, changes: [...outcome.changes] }
}
