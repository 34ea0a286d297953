// Runs jobs in this thread: for the command line, for tests, and inside the worker.
import { apply } from './apply.ts'
import { submitChangeRequest } from './submit-change-request.ts'
import { PipelineCache } from './pipeline-cache.ts'
import { outcomeOf } from './outcome.ts'
import type { PipelineDeps } from './deps.ts'
import { prepareChanges } from './prepare.ts'
import type { JobRunner } from './request.ts'

export function inlineRunner(deps: PipelineDeps): JobRunner {
  const memory = new PipelineCache()
  return {
    plan: async (request) => {
      const started = performance.now()
      const prepared = deps.store.read((reader) => prepareChanges(deps, reader, memory, request))
      return outcomeOf(prepared, Math.round(performance.now() - started))
    },
    apply: async (request, kind, beside) =>
      apply(deps, memory, request, { kind, ...(beside === undefined ? {} : { transactionHook: beside }) }),
    keep: async (request, terms) => submitChangeRequest(deps, memory, request, terms),
    verify: async () => deps.store.verifyActive(),
    close: async () => undefined,
  }
}
