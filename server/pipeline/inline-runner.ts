// Runs jobs in this thread: for the command line, for tests, and inside the worker.
import { commitChanges } from './commit-changes.ts'
import { submitChangeRequest } from './submit-change-request.ts'
import { PipelineCache } from './pipeline-cache.ts'
import { outcomeOf } from './outcome.ts'
import type { PipelineDeps } from './deps.ts'
import { prepareChanges } from './prepare.ts'
import type { JobRunner } from './request.ts'

export function inlineRunner(deps: PipelineDeps): JobRunner {
  const cache = new PipelineCache()
  return {
    plan: async (request) => {
      const started = performance.now()
      const prepared = deps.store.read((reader) => prepareChanges(deps, reader, cache, request))
      return outcomeOf(prepared, Math.round(performance.now() - started))
    },
    commit: (turn, request, kind, companion) =>
      commitChanges(deps, cache, turn, request, { kind, companion }),
    submit: (turn, request, terms) => submitChangeRequest(deps, cache, turn, request, terms),
    verify: async () => deps.store.verifyActive(),
    close: async () => undefined,
  }
}
