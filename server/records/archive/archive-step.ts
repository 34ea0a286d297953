// A part of a job that archives values: their evidence is made next to the readers, and stored with the marks and the
// progress in one transaction, so that nothing is archived twice or without its bundle.
import type { Actor } from '../../access/index.ts'
import { AlmanacError } from '#kernel/errors/almanac-error.ts'
import {
  fieldKey,
  objectPrograms,
  type FieldId,
  type RecordSnapshot,
  type StoredBinding,
} from '#kernel/records/index.ts'
import type { RecordJob, RecordJobFailure } from '../../ports/record-jobs.ts'
import type { RecordReader, RecordStore, StoredRecord } from '../../ports/record-store.ts'
import type { AccessOf } from '../commands/save-command.ts'
import type { RecordSnapshots } from '../deps.ts'
import { pageOf } from '../jobs/job-page.ts'
import { archivableValue, type ArchivableValue } from '../read/prove-value.ts'
import type { RecordCaller } from '../read/record-caller.ts'
import type { MakeEvidence } from './archive-value.ts'
import type { ArchiveCommand, ArchivedRecord, ArchivedValue, ArchiveReply } from './archive-values.ts'

/** Records that are read at once. */
const pageSize = 50
/** How long a step takes records, in milliseconds. */
const stepMs = 100
/** How often a step is repeated if records are changed while their evidence is made. */
const maxAttempts = 20
/** A bundle contains the digests of all entries of its sets. */
const maxBundleChars = 4 * 1024 * 1024

export interface ArchiveStepParts {
  store(): RecordStore
  snapshots: RecordSnapshots
  accessOf: AccessOf
  evidence: MakeEvidence
  archive(command: ArchiveCommand): Promise<ArchiveReply>
  elapsed(): number
}

/** @param job an open one, as it was read. @returns the job after the step */
export async function runArchiveStep(
  parts: ArchiveStepParts,
  { id }: RecordJob,
  generation: number,
): Promise<RecordJob> {
  for (let attempt = 1; ; attempt += 1)
    try {
      return await attemptStep(parts, id, generation)
    } catch (error) {
      const isStale = error instanceof AlmanacError && error.code === 'conflict.stale_version'
      if (!isStale || attempt === maxAttempts) throw error
    }
}

/** @throws AlmanacError `conflict.stale_version` if a record or the job was changed in the meantime */
async function attemptStep(parts: ArchiveStepParts, id: string, generation: number): Promise<RecordJob> {
  const present = parts.snapshots.at(generation)
  const { job, object, records, isLast, problem } = await parts.store().read(async (reader) => {
    const found = (await reader.job(id))!
    return { job: found, ...(await looked(parts, reader, found, present)) }
  })
  const by: Actor = { actor: job.createdBy, correlationId: job.correlationId }
  const proven: ArchivedRecord[] = []
  const failures: RecordJobFailure[] = []
  for (const { record, values, failures: unproven } of records) {
    const archived: ArchivedValue[] = []
    failures.push(...unproven)
    for (const value of values)
      try {
        archived.push(await bundled(parts, by, value))
      } catch (error) {
        failures.push(failureOf(record.id, error))
      }
    if (archived.length > 0) proven.push({ id: record.id, version: record.version, values: archived })
  }
  const reply = await parts.archive({
    ...{ object: object ?? '', records: proven, generation, user: job.createdBy },
    ...{ correlationId: job.correlationId, scopePath: job.scopePath },
    archive: { id: job.id, object: job.object, at: job.createdAt, by: job.createdBy },
    step: {
      ...{ after: job.after, isLast, problem, failures },
      last: records.at(-1)?.record.id ?? job.after,
      done: records.filter(({ isBound }) => isBound).length,
    },
  })
  return reply.job!
}

interface LookedAt {
  record: StoredRecord
  /** Whether it has a value that the job archives. */
  isBound: boolean
  values: ArchivableValue[]
  failures: RecordJobFailure[]
}

interface Page {
  object: string | null
  records: LookedAt[]
  isLast: boolean
  /** Why the job ends early. */
  problem: RecordJob['problem']
}

async function looked(
  { snapshots, accessOf, elapsed }: ArchiveStepParts,
  reader: RecordReader,
  job: RecordJob,
  present: RecordSnapshot,
): Promise<Page> {
  const object = present.names.objectKey(job.object)
  try {
    if (object === undefined)
      throw new AlmanacError('object.not_found', 'The object of the job was removed from the org.')
    const { createdBy, scopePath } = job
    const access = accessOf(createdBy, present.generation, scopePath)
    const caller: RecordCaller = { present, scopePath, access }
    const page = await pageOf({ accessOf }, reader, job, { present, object }, pageSize)
    const until = elapsed() + stepMs
    const records: LookedAt[] = []
    for (const record of page.records) {
      if (records.length > 0 && elapsed() > until) return { object, records, isLast: false, problem: null }
      records.push(await lookAt({ caller, snapshots, reader }, object, record, job.boundBefore))
    }
    return { object, records, isLast: !page.hasMore, problem: null }
  } catch (error) {
    const problem = problemOf(error)
    return { object: object ?? null, records: [], isLast: true, problem }
  }
}

interface Looking {
  caller: RecordCaller
  snapshots: RecordSnapshots
  reader: RecordReader
}

async function lookAt(
  looking: Looking,
  object: string,
  record: StoredRecord,
  before: number | null,
): Promise<LookedAt> {
  const { caller } = looking
  const programs = objectPrograms(caller.present.view, object)!
  const ids = caller.present.names.fieldIds(object)
  const bound = [...record.bindings].filter(([, binding]) => keepsBefore(binding, before))
  const found: LookedAt = { record, isBound: bound.length > 0, values: [], failures: [] }
  const rollUps: string[] = []
  for (const [id] of bound) {
    const key = fieldKey(ids, id)
    const field = key === undefined ? undefined : programs.field(key)
    if (field === undefined || !caller.access.canReadField(object, field.key)) {
      found.failures.push(failureOf(record.id, hiddenValue(object)))
    } else if (field.rollup !== undefined) {
      rollUps.push(field.key)
    } else
      try {
        found.values.push(await archivableValue({ ...looking, programs, record, field, id }))
      } catch (error) {
        found.failures.push(failureOf(record.id, error))
      }
  }
  if (rollUps.length > 0) found.failures.push(failureOf(record.id, leftRollUps(rollUps)))
  return found
}

const keepsBefore = ({ generation, archived }: StoredBinding, before: number | null): boolean =>
  archived === undefined && (before === null || generation < before)

async function bundled(
  { evidence }: ArchiveStepParts,
  by: Actor,
  { field, reads, inputs, proven }: ArchivableValue,
): Promise<ArchivedValue> {
  const bundle = await evidence(by, proven)
  if (bundle.length > maxBundleChars)
    throw new AlmanacError(
      'request.invalid',
      `The evidence of ${proven.label} has ${bundle.length.toLocaleString('en')} characters, and a job archives at most ${maxBundleChars.toLocaleString('en')} for each value. Archive this value alone.`,
    )
  return { field: field satisfies FieldId, reads, inputs, bundle }
}

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

function failureOf(record: string, error: unknown): RecordJobFailure {
  return { record, ...problemOf(error) }
}

/** @throws the error, if the step can succeed later */
function problemOf(error: unknown): { code: string; message: string } {
  if (!(error instanceof AlmanacError) || error.code.startsWith('storage.')) throw error
  const { code, message } = error
  return { code, message }
}
