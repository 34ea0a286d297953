// The next values of a job that archives: looked at in one read, and proved after it.
import { AlmanacError } from '#kernel/errors/almanac-error.ts'
import { isStorageFailure } from '#kernel/errors/storage-failure.ts'
import {
  fieldKey,
  objectPrograms,
  type FieldId,
  type RecordSnapshot,
  type StoredBinding,
} from '#kernel/records/index.ts'
import type { RecordJob, RecordJobFailure } from '../../ports/record-jobs.ts'
import type { RecordReader, StoredRecord } from '../../ports/record-store.ts'
import type { AccessOf } from '../commands/save-command.ts'
import type { RecordSnapshots } from '../deps.ts'
import { pageOf } from '../jobs/job-page.ts'
import { archivableValue, type ArchivableValue } from '../read/prove-value.ts'
import type { RecordCaller } from '../read/record-caller.ts'

/** Records that are read at once. */
const pageSize = 50
/** How long values are looked at, in milliseconds: readers wait for it. */
const lookMs = 20

export interface LookedAt {
  record: StoredRecord
  /** Whether it has a value that the job archives. */
  isBound: boolean
  /** Whether its last value is among the cells. */
  isWhole: boolean
  /** By their field. */
  cells: readonly LookedCell[]
  /** What is reported once the record is complete: roll-ups, which have no evidence. */
  leftOut: readonly RecordJobFailure[]
}

export type LookedCell = { field: FieldId } & ({ value: ArchivableValue } | { error: AlmanacError })

export interface ArchivePage {
  /** Key; null if the object was removed. */
  object: string | null
  records: LookedAt[]
  isLast: boolean
  /** Why the job ends early. */
  problem: RecordJob['problem']
}

interface LookingParts {
  snapshots: RecordSnapshots
  accessOf: AccessOf
  elapsed(): number
}

/** The next values of a job: at least one, if any is left. */
export async function valuesToArchive(
  { snapshots, accessOf, elapsed }: LookingParts,
  reader: RecordReader,
  job: RecordJob,
  present: RecordSnapshot,
): Promise<ArchivePage> {
  const object = present.names.objectKey(job.object)
  try {
    if (object === undefined)
      throw new AlmanacError('object.not_found', 'The object of the job was removed from the org.')
    const { createdBy, scopePath, boundBefore } = job
    const access = accessOf(createdBy, present.generation, scopePath)
    const caller: RecordCaller = { present, scopePath, access }
    const page = await pageOf({ accessOf }, reader, job, { present, object }, pageSize)
    const until = elapsed() + lookMs
    const isOver = (): boolean => elapsed() > until
    const records: LookedAt[] = []
    for (const record of page.records) {
      if (records.length > 0 && isOver()) return { object, records, isLast: false, problem: null }
      const part = job.part?.record === record.id ? job.part : null
      const looked = await lookAt({ caller, snapshots, reader, isOver }, object, record, {
        boundBefore,
        part,
      })
      records.push(looked)
      if (!looked.isWhole) return { object, records, isLast: false, problem: null }
    }
    return { object, records, isLast: !page.hasMore, problem: null }
  } catch (error) {
    if (!(error instanceof AlmanacError) || isStorageFailure(error)) throw error
    const { code, message } = error
    return { object: object ?? null, records: [], isLast: true, problem: { code, message } }
  }
}

interface Looking {
  caller: RecordCaller
  snapshots: RecordSnapshots
  reader: RecordReader
  isOver(): boolean
}

async function lookAt(
  looking: Looking,
  object: string,
  record: StoredRecord,
  { boundBefore, part }: Pick<RecordJob, 'boundBefore' | 'part'>,
): Promise<LookedAt> {
  const { caller, isOver } = looking
  const programs = objectPrograms(caller.present.view, object)!
  const ids = caller.present.names.fieldIds(object)
  const bound = [...record.bindings]
    .filter(([, binding]) => keepsBefore(binding, boundBefore))
    .sort(([a], [b]) => a - b)
  const cells: LookedCell[] = []
  const rollUps: string[] = []
  let isWhole = true
  for (const [id] of bound) {
    const key = fieldKey(ids, id)
    const field = key === undefined ? undefined : programs.field(key)
    if (field?.rollup !== undefined && caller.access.canReadField(object, field.key)) {
      rollUps.push(field.key)
      continue
    }
    if (part?.field != null && id <= part.field) continue
    if (cells.length > 0 && isOver()) {
      isWhole = false
      break
    }
    if (field === undefined || !caller.access.canReadField(object, field.key))
      cells.push({ field: id, error: hiddenValue(object) })
    else
      try {
        cells.push({ field: id, value: await archivableValue({ ...looking, programs, record, field, id }) })
      } catch (error) {
        if (!(error instanceof AlmanacError) || isStorageFailure(error)) throw error
        cells.push({ field: id, error })
      }
  }
  const isBound = bound.length > 0 || part !== null
  const leftOut = rollUps.length === 0 ? [] : [failureOf(record.id, leftRollUps(rollUps))]
  return { record, isBound, isWhole, cells, leftOut }
}

const keepsBefore = ({ generation, archived }: StoredBinding, before: number | null): boolean =>
  archived === undefined && (before === null || generation < before)

const hiddenValue = (object: string): AlmanacError =>
  new AlmanacError(
    'access.denied',
    `A value of ${object} that you cannot read, or whose field was removed, was not archived. Recompute the record.`,
  )

const leftRollUps = (keys: readonly string[]): AlmanacError =>
  new AlmanacError(
    'request.invalid',
    `${keys.join(', ')}: ${keys.length === 1 ? 'a roll-up has' : 'roll-ups have'} no evidence. Rebind the record with keepArchived instead.`,
  )

/** Of a value. An unexpected error is not described, because it can contain what the value has read. */
export function failureOf(record: string, error: unknown): RecordJobFailure {
  if (error instanceof AlmanacError) return { record, code: error.code, message: error.message }
  return { record, code: 'internal.error', message: 'The evidence of a value could not be made.' }
}
