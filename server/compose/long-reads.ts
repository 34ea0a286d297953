// Wires long reads over what is already open.
import type { LongReads } from '../http/index.ts'
import { impactOf } from '../impact/index.ts'
import { inspectFile, previewImport } from '../import/index.ts'
import { inlineRunner, PipelineCache, type PipelineDeps } from '../pipeline/index.ts'
import { comparePoints, keyMap } from '../points/index.ts'
import { exportReview } from '../review/index.ts'

/** In this thread, over what is already open. */
export function createLongReads(deps: PipelineDeps): LongReads {
  const jobs = inlineRunner(deps)
  const memory = new PipelineCache()
  return {
    inspectFile: ({ bytes, name, options, set }) => inspectFile(bytes, name, options, set),
    previewImport: async (request) => {
      const preview = await previewImport(deps, jobs, request)
      // Lazily made rows cannot be sent to another thread.
      return { ...preview, plan: { ...preview.plan, changes: [...preview.plan.changes] } }
    },
    impact: async (request) => impactOf(deps, memory, request),
    comparePoints: async (request) => comparePoints(deps.store, request),
    keyMap: async (request) => keyMap(deps.store, request),
    reviewDocument: async (request) => exportReview(deps, memory, request),
  }
}
