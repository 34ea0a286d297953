// Long reads, wired over what is open already.
import type { LongReads } from './http/index.ts'
import { impactOf } from './impact/index.ts'
import { inspectFile, previewImport } from './import/index.ts'
import { inlineRunner, PipelineMemory, type PipelineParts } from './pipeline/index.ts'
import { comparePoints, keyMap } from './points/index.ts'
import { exportedReview } from './review/index.ts'

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
