// The processing of bulk jobs of an org, as a server runs it.
import {
  createIngestCounts,
  createIngestRunner,
  purgeIngests,
  type IngestCounts,
  type IngestRunner,
} from '../bulk/index.ts'
import type { IngestJob } from '../ports/ingest.ts'
import type { RecordReader } from '../ports/record-store.ts'
import type { Records } from '../records/index.ts'
import { fileParts } from '../storage/files/index.ts'
import { ingestThread } from './ingest-thread.ts'
import type { OpenedOrg } from './open-org.ts'
import { ingestFolder } from './org-folder.ts'
import type { Threads } from './threads.ts'

/** How often what is not kept any more is removed, in milliseconds. */
const purgeMs = 3_600_000

interface IngestParts {
  threads: Threads
  uses: Pick<Records, 'noteIngestColumns'>
  onProgress(job: IngestJob): void
  onError(error: unknown): void
}

export interface OpenedIngests extends IngestRunner {
  counts: Pick<IngestCounts, 'read'>
}

export function openIngests(
  org: OpenedOrg,
  { threads, uses, onProgress, onError }: IngestParts,
): OpenedIngests {
  const rows = ingestThread(threads, ingestFolder(org.dir))
  const { records, clock } = org
  const parts = fileParts(ingestFolder(org.dir))
  const isUsed = (): boolean => org.store.read((reader) => reader.recordFacts.anyIngest())
  const purge = async (): Promise<void> => {
    if (!isUsed()) return
    const read = <T>(work: (reader: RecordReader) => Promise<T>): Promise<T> => records.store().read(work)
    await purgeIngests({ read, writes: records.ingests, parts, clock })
  }
  let purging: Promise<void> = Promise.resolve()
  const timer = setInterval(() => void (purging = purge().catch(onError)), purgeMs).unref()
  const counts = createIngestCounts()
  const runner = createIngestRunner({
    waiting: async () =>
      // Without records, the worker for them is not started.
      isUsed() ? records.store().read((reader) => reader.waitingIngests()) : [],
    partsOf: (id) => records.store().read((reader) => reader.ingestParts(id)),
    writes: records.ingests,
    open: rows.open,
    removePart: ({ job, name }) => parts.remove(job, name),
    removeParts: (id) => parts.removeAll(id),
    activeGeneration: () => org.activeGeneration(),
    save: async (command) => (await records.save(command)).reply,
    noteUses: (job, generation) => uses.noteIngestColumns({ client: job.client, generation }, job),
    ...{ counts, onProgress, onError },
  })
  return {
    counts,
    wake: runner.wake,
    close: async () => {
      clearInterval(timer)
      await purging
      await runner.close()
      await rows.close()
    },
  }
}
