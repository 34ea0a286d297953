// Long reads, wired: in a worker of their own beside a server, in this thread where there is none.
import { openParts } from './compose.ts'
import { workerCalls } from './compose-worker-calls.ts'
import { longReadNames, type LongReads } from './http/index.ts'
import { impactOf } from './impact/index.ts'
import { inspectFile, previewImport } from './import/index.ts'
import { inlineRunner, PipelineMemory, type PipelineParts } from './pipeline/index.ts'
import { comparePoints, keyMap } from './points/index.ts'
import { exportedReview } from './review/index.ts'

export interface OpenLongReads extends LongReads {
  close(): Promise<void>
}

/** In this thread, over what is open already. */
export function longReadsOver(parts: PipelineParts): LongReads {
  const jobs = inlineRunner(parts)
  const memory = new PipelineMemory()
  return {
    inspectFile: ({ bytes, name, options, set }) => inspectFile(bytes, name, options, set),
    previewImport: async (request) => {
      const preview = await previewImport(parts, jobs, request)
      // What makes rows as they are read does not cross to another thread.
      return { ...preview, plan: { ...preview.plan, changes: [...preview.plan.changes] } }
    },
    impact: async (request) => impactOf(parts, memory, request),
    comparePoints: async (request) => comparePoints(parts.store, request),
    keyMap: async (request) => keyMap(parts.store, request),
    reviewDocument: (request) => exportedReview(parts, jobs, memory, request),
  }
}

/** Over a connection of their own, in this thread: for the inside of the worker, and where no worker is wanted. */
export function openLongReads(dir: string): OpenLongReads {
  const parts = openParts(dir)
  return { ...longReadsOver(parts), close: async () => parts.store.close() }
}

/** In a worker, so that readers never wait for them, and an apply neither. */
export function longReadsBeside(dir: string): OpenLongReads {
  const calls = workerCalls(new URL('./compose-long-reads-worker.ts', import.meta.url), dir, {
    maxYoungGenerationSizeMb: 32,
    maxOldGenerationSizeMb: 2048,
  })
  const reads = Object.fromEntries(
    longReadNames.map((name) => [name, (request: unknown) => calls.call(name, request)]),
  ) as unknown as LongReads
  return { ...reads, close: () => calls.end() }
}
