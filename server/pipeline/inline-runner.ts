// Jobs in this very thread: for the command line, for tests, and inside the worker.
import { apply } from './apply.ts'
import { GraphCache } from './org-graph.ts'
import type { PipelineParts } from './parts.ts'
import { outcomeOf, prepare } from './prepare.ts'
import type { JobRunner } from './request.ts'

export function inlineRunner(parts: PipelineParts): JobRunner {
  const graphs = new GraphCache()
  return {
    plan: async (request) => {
      const started = performance.now()
      const prepared = parts.store.read((reader) => prepare(parts, reader, graphs, request))
      return outcomeOf(prepared, Math.round(performance.now() - started))
    },
    apply: async (request, kind) => apply(parts, graphs, request, { kind }),
    close: async () => undefined,
  }
}
