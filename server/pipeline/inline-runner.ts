// Jobs in this very thread: for the command line, for tests, and inside the worker.
import { apply } from './apply.ts'
import { keep } from './keep.ts'
import { GraphCache } from './org-graph.ts'
import { outcomeOf } from './outcome.ts'
import type { PipelineParts } from './parts.ts'
import { prepare } from './prepare.ts'
import type { JobRunner } from './request.ts'

export function inlineRunner(parts: PipelineParts): JobRunner {
  const graphs = new GraphCache()
  return {
    plan: async (request) => {
      const started = performance.now()
      const prepared = parts.store.read((reader) => prepare(parts, reader, graphs, request))
      return outcomeOf(prepared, Math.round(performance.now() - started))
    },
    apply: async (request, kind, beside) =>
      apply(parts, graphs, request, { kind, ...(beside === undefined ? {} : { beside }) }),
    keep: async (request, terms) => keep(parts, graphs, request, terms),
    close: async () => undefined,
  }
}
