// Marks values as archived and stores their evidence, in one transaction: neither is there without the other.
import type { AlmanacError } from '#kernel/errors/almanac-error.ts'
import type { ScopePath } from '#kernel/components/scopes.ts'
import type { ArchivedReads, FieldId, KeptInputs } from '#kernel/records/index.ts'
import type { RecordArchive } from '../../ports/record-archives.ts'
import type { RecordJobFailure } from '../../ports/record-jobs.ts'
import type { RecordTransactor } from '../../ports/record-store.ts'
import type { CommandDeps } from '../commands/save-command.ts'
import type { ArchiveMarks, SaveItem } from '../save/save.ts'
import { saveInTransaction } from '../saves.ts'

export interface ArchiveCommand {
  /** Key. */
  object: string
  archive: RecordArchive
  records: readonly ArchivedRecord[]
  user: string
  correlationId: string
  scopePath: ScopePath
  /** The active generation. */
  generation: number
}

export interface ArchivedRecord {
  id: string
  /** The record as its values were proved. */
  version: number
  values: readonly ArchivedValue[]
}

export interface ArchivedValue {
  field: FieldId
  reads: ArchivedReads
  inputs: KeptInputs
  /** The text of the evidence bundle. */
  bundle: string
}

/**
 * Returns the records that the user cannot change.
 * @throws AlmanacError `conflict.stale_version` if a record was changed since its values were proved: nothing was archived
 */
export async function archiveValues(
  deps: CommandDeps,
  tx: RecordTransactor,
  { object, archive, records, user, correlationId, scopePath, generation }: ArchiveCommand,
): Promise<RecordJobFailure[]> {
  const { id, at, by } = archive
  const items = records.map(({ id: record, version, values }): SaveItem => {
    const marks: ArchiveMarks = new Map(
      values.map(({ field, reads, inputs }) => [field, { mark: { archive: id, at, by, ...reads }, inputs }]),
    )
    return { op: 'archive', object, id: record, version, marks }
  })
  const outcomes = await saveInTransaction(deps, tx, {
    ...{ generation, actor: user, correlationId, scopePath, allOrNone: false, items },
    access: deps.accessOf(user, generation, scopePath),
  })
  const failures: RecordJobFailure[] = []
  for (const [index, outcome] of outcomes.entries()) {
    const { id: record, values } = records[index]!
    if (outcome.ok)
      await tx.addEvidence(
        archive,
        values.map(({ field, bundle }) => ({ record, field, bundle })),
      )
    else failures.push(failureOf(record, outcome.error))
  }
  return failures
}

/** @throws the error if the values have to be proved again */
function failureOf(record: string, error: AlmanacError): RecordJobFailure {
  const { code, message } = error
  if (code === 'conflict.stale_version') throw error
  return { record, code, message }
}
