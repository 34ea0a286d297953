// Wires long reads over what is already open.
import type { LongReads } from '../http/index.ts'
import { impactOf, MoveMemory, recordsImpactOf } from '../impact/index.ts'
import { inspectFile, previewImport } from '../import/index.ts'
import { inlineRunner, PipelineCache, type PipelineDeps } from '../pipeline/index.ts'
import { comparePoints, keyMap } from '../points/index.ts'
import { createCursorSeal } from '../records/index.ts'
import { exportReview } from '../review/index.ts'
import type { OpenedRecords } from './open-records.ts'

interface RecordParts {
  records: Pick<OpenedRecords, 'store' | 'snapshots'>
  cursorKey(): Buffer
  /** Of earlier calls; empty if omitted. */
  moves?: MoveMemory
}

/** In this thread, over what is already open. */
export function createLongReads(
  deps: PipelineDeps,
  { records, cursorKey, moves = new MoveMemory() }: RecordParts,
): LongReads {
  const { store, snapshots } = records
  const ofRecords = {
    ...{ pipeline: deps, store, snapshots, moves },
    seal: createCursorSeal(cursorKey),
    elapsed: () => performance.now(),
  }
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
    recordsImpact: (request) => recordsImpactOf(ofRecords, memory, request),
    comparePoints: async (request) => comparePoints(deps.store, request),
    keyMap: async (request) => keyMap(deps.store, request),
    reviewDocument: async (request) => exportReview(deps, memory, request),
  }
}
