// Runs jobs in this thread: for the command line, for tests, and inside the worker.
import { apply } from './apply.ts'
import { keep } from './keep.ts'
import { PipelineMemory } from './memory.ts'
import { outcomeOf } from './outcome.ts'
import type { PipelineParts } from './parts.ts'
import { prepare } from './prepare.ts'
import type { JobRunner } from './request.ts'

export function inlineRunner(parts: PipelineParts): JobRunner {
  const memory = new PipelineMemory()
  return {
    plan: async (request) => {
      const started = performance.now()
      const prepared = parts.store.read((reader) => prepare(parts, reader, memory, request))
      return outcomeOf(prepared, Math.round(performance.now() - started))
    },
    apply: async (request, kind, beside) =>
      apply(parts, memory, request, { kind, ...(beside === undefined ? {} : { beside }) }),
    keep: async (request, terms) => keep(parts, memory, request, terms),
    verify: async () => parts.store.verifyActive(),
    close: async () => undefined,
  }
}
