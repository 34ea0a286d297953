// Runs jobs over records for a command. A server runs them next to its readers.
import { AlmanacError } from '#kernel/errors/almanac-error.ts'
import type { RecordJob } from '../ports/record-jobs.ts'
import type { OpenedOrg } from './open-org.ts'

/** Runs the jobs that fill fields of the active generation to their end. */
export async function fillRecords({ records, store, activeGeneration }: OpenedOrg): Promise<void> {
  if (!store.read((reader) => reader.recordFacts.any())) return
  const generation = activeGeneration()
  const user = store.read((reader) => reader.generations.get(generation))?.actor ?? ''
  const done = new Set<string>()
  for (;;) {
    // A fill that an earlier deploy began does not contain the fields that were added since.
    await whenFree(() => records.jobs.createFills({ generation, user }))
    const open = await records.store().read((reader) => reader.openJobs())
    const fills = open.filter(({ id, kind }) => kind === 'fill' && !done.has(id))
    if (fills.length === 0) return
    for (const { id } of fills) {
      done.add(id)
      const { state } = await runJob(records, id, generation)
      if (state !== 'completed') return
    }
  }
}

/** Kinds of jobs that saves and erasures leave. */
const leftKinds: readonly RecordJob['kind'][] = ['follow', 'automation', 'erase']

/** Runs the jobs that saves and erasures have left to their end. */
export async function runLeftJobs({ records, activeGeneration }: OpenedOrg): Promise<void> {
  for (;;) {
    const open = await records.store().read((reader) => reader.openJobs())
    const jobs = open.filter(({ kind }) => leftKinds.includes(kind))
    if (jobs.length === 0) return
    for (const { id } of jobs) await runJob(records, id, activeGeneration())
  }
}

async function runJob(records: OpenedOrg['records'], id: string, generation: number): Promise<RecordJob> {
  let job: RecordJob
  do job = await whenFree(() => records.jobs.step({ id, generation }))
  while (job.state === 'processing')
  return job
}

/** How often a write is tried that meets a lock of another process; each attempt waits for it. */
const maxAttempts = 12

/** Tries a write again while another process writes: what the command itself has written is already committed. */
async function whenFree<T>(write: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt += 1)
    try {
      return await write()
    } catch (error) {
      const isBusy = error instanceof AlmanacError && error.code === 'org.busy'
      if (!isBusy || attempt === maxAttempts) throw error
    }
}
