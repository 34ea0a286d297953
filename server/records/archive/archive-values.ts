// Marks values as archived and stores their evidence, in one transaction: neither is there without the other.
import type { ScopePath } from '#kernel/components/scopes.ts'
import type { RecordArchive } from '../../ports/record-archives.ts'
import type { RecordJob, RecordJobFailure } from '../../ports/record-jobs.ts'
import type { RecordTransactor } from '../../ports/record-store.ts'
import { isOpen } from '../jobs/run-job-step.ts'
import type { CommandDeps } from '../commands/save-command.ts'
import type { ArchiveMarks, SaveItem } from '../save/save.ts'
import { saveInTransaction } from '../saves.ts'
import type { ArchivedRecord } from './archived-record.ts'
import { jobAfterStep, type ArchiveStep, type RecordOutcome } from './archive-progress.ts'

export interface ArchiveCommand {
  /** Key. */
  object: string
  archive: RecordArchive
  /** With one value; empty for a job. */
  records: readonly ArchivedRecord[]
  user: string
  correlationId: string
  scopePath: ScopePath
  /** The active generation. */
  generation: number
  /** Of a job, whose ID is that of the archive; null for one value. */
  step: ArchiveStep | null
}

export interface ArchiveReply {
  /** Records that the user cannot change. */
  failures: RecordJobFailure[]
  /** After the step; null for one value. */
  job: RecordJob | null
}

/**
 * Archives values. A step of a job ends at a record that was changed since its values were proved: it is proved again in
 * the next step.
 */
export async function archiveValues(
  deps: CommandDeps,
  tx: RecordTransactor,
  command: ArchiveCommand,
): Promise<ArchiveReply> {
  const { archive, step } = command
  if (step === null) {
    const outcomes = await archived(deps, tx, command, command.records)
    return { failures: outcomes.flatMap((each) => (typeof each === 'string' ? [] : [each])), job: null }
  }
  const job = (await tx.job(archive.id))!
  // It was ended, or another process has continued it.
  const isMoved = job.after !== step.after || JSON.stringify(job.part) !== JSON.stringify(step.part)
  if (!isOpen(job) || isMoved) return { failures: [], job }
  const ids = step.records.map(({ id }) => id)
  const stored = await tx.get(archive.object, ids)
  const versions = new Map(stored.map(({ id, version }) => [id, version]))
  const stale = step.records.findIndex(({ id, version }) => versions.get(id) !== version)
  const fresh = stale === -1 ? step.records : step.records.slice(0, stale)
  const outcomes = await archived(deps, tx, command, fresh)
  if (stale !== -1) outcomes.push('stale')
  const next = jobAfterStep(job, step, outcomes, deps.clock.now())
  await tx.putJob(next)
  return { failures: [], job: next }
}

async function archived(
  deps: CommandDeps,
  tx: RecordTransactor,
  { object, archive, user, correlationId, scopePath, generation }: ArchiveCommand,
  records: readonly ArchivedRecord[],
): Promise<RecordOutcome[]> {
  const { id: archiveId, at, by } = archive
  const withValues = records.filter(({ values }) => values.length > 0)
  const items = withValues.map(({ id, version, values }): SaveItem => {
    const marks: ArchiveMarks = new Map(
      values.map(({ field, reads, inputs }) => [
        field,
        { mark: { archive: archiveId, at, by, ...reads }, inputs },
      ]),
    )
    return { op: 'archive', object, id, version, marks }
  })
  const saved = await saveInTransaction(deps, tx, {
    ...{ generation, actor: user, correlationId, scopePath, allOrNone: false, items },
    access: deps.accessOf(user, generation, scopePath),
  })
  const refused = new Map<string, RecordJobFailure>()
  for (const [index, outcome] of saved.entries()) {
    const { id: record, values } = withValues[index]!
    if (outcome.ok)
      await tx.addEvidence(
        archive,
        values.map(({ field, reads, bundle }) => ({ record, field, reads, bundle })),
      )
    else refused.set(record, { record, code: outcome.error.code, message: outcome.error.message })
  }
  return records.map(({ id }) => refused.get(id) ?? 'processed')
}
