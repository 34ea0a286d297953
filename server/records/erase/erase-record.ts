// Erases the sensitive values of a record from everything that is stored, in one transaction
// (docs/reference/data-api.md).
import type { FieldValue } from '#kernel/components/field-types.ts'
import type { ScopePath } from '#kernel/components/scopes.ts'
import {
  isErased,
  type CalloutOutcomes,
  type FieldId,
  type ObjectId,
  type RecordSnapshot,
} from '#kernel/records/index.ts'
import type { PlatformEvent } from '../../ports/events.ts'
import type { ErasedBytes } from '../../ports/ingest.ts'
import type { RecordJob } from '../../ports/record-jobs.ts'
import type { RecordReader, RecordTransactor } from '../../ports/record-store.ts'
import type { CommandDeps } from '../commands/save-command.ts'
import { changesOf } from '../read/changes-of.ts'
import { recordNotFound } from '../save/record-errors.ts'
import type { ErasedValues } from '../save/save.ts'
import { saveInTransaction } from '../saves.ts'
import { blankHistory, saltedHash, type BlankedHistory, type HashValue } from './blank-history.ts'
import { eraseArchived } from './erase-archived.ts'
import { derivedPlaces } from './derived-places.ts'
import type { EraseDeps } from './erase-deps.ts'
import {
  containsValue,
  isFindable,
  longestFirst,
  redactBody,
  redactJson,
  redactLiterals,
  redactText,
} from './redact-text.ts'
import { ingestRewrite } from './redact-row.ts'
import { sensitiveFields } from './sensitive-fields.ts'

export interface EraseCommand {
  object: ObjectId
  id: string
  user: string
  correlationId: string
  scopePath: ScopePath
  /** The generation that was active when the request arrived. */
  generation: number
  /** What was overwritten in the parts of bulk jobs before. */
  erasedRows: ErasedRows
}

/** Rows in the parts of bulk jobs that an erasure has overwritten, by job. */
export type ErasedRows = ReadonlyMap<string, readonly ErasedBytes[]>

export interface ErasureCounts {
  /** Records that had such values now or earlier. */
  records: number
  /** Changes in their history that were replaced. */
  changes: number
  /** Whether records are left to a job. */
  hasJob: boolean
}

/** @throws AlmanacError `record.not_found` */
export async function eraseRecord(
  deps: EraseDeps,
  tx: RecordTransactor,
  command: EraseCommand,
): Promise<ErasureCounts> {
  const { object: objectId, id, user, correlationId, scopePath, generation } = command
  const present = deps.snapshots.at(generation)
  const object = present.names.objectKey(objectId)
  const [record] = await tx.get(objectId, [id])
  const stored = new Set(record?.values.keys())
  let isKnown = record !== undefined
  for await (const { fields } of changesOf(tx, objectId, id)) {
    isKnown = true
    for (const { field } of fields) stored.add(field)
  }
  if (!isKnown) throw recordNotFound(object ?? objectId, id)
  await noteErasedRows(tx, command.erasedRows)
  const sensitive = sensitiveFields(deps, present, objectId, stored)
  if (sensitive.size === 0) return { records: 0, changes: 0, hasJob: false }
  const hash = saltedHash()
  const isOpen = await openErasures(tx)
  // An object is removed only after its records are deleted.
  if (record !== undefined && object !== undefined)
    await saveInTransaction(deps, tx, {
      ...{ generation, actor: user, correlationId, scopePath, allOrNone: true },
      access: deps.accessOf(user, generation, scopePath),
      items: [{ op: 'erase', object, id, version: null, erased: erasedOf(record.values, sensitive, hash) }],
    })
  const snapshots = await readingSnapshots(deps, tx, present)
  const archived = await tx.archivedReads()
  const places = derivedPlaces(snapshots, objectId, sensitive, archived)
  const request = { actor: user, correlationId, scopePath }
  await eraseArchived(deps, tx, { id, places, archived, present }, request)
  const blanked = await blankHistory(tx, id, places, hash)
  await redactTraces(tx, blanked, hash)
  const hasJob = [...(await openErasures(tx))].some((job) => !isOpen.has(job))
  return { records: blanked.records.size, changes: blanked.changes, hasJob }
}

/**
 * What the job of an erasure does last: values were computed for users, and stored in the history, while it ran.
 * @param job with the fields that were erased in the record that it follows
 */
export async function eraseFollowers(
  deps: CommandDeps,
  tx: RecordTransactor,
  { source, fields, createdBy, correlationId, scopePath }: RecordJob,
  present: RecordSnapshot,
): Promise<void> {
  const snapshots = await readingSnapshots(deps, tx, present)
  const erased = new Map(fields.map((field) => [field, true]))
  const archived = await tx.archivedReads()
  const [, ...places] = derivedPlaces(snapshots, source!.object, erased, archived)
  const request = { actor: createdBy, correlationId, scopePath }
  await eraseArchived(deps, tx, { id: source!.id, places, archived, present }, request)
  const hash = saltedHash()
  await redactTraces(tx, await blankHistory(tx, source!.id, places, hash), hash)
}

/** Rows that were read before are read again: their step fails. */
async function noteErasedRows(tx: RecordTransactor, rows: ErasedRows): Promise<void> {
  for (const [id, erased] of rows) {
    const job = await tx.ingest(id)
    if (job !== undefined) await tx.putIngest({ ...job, erased: [...job.erased, ...erased] })
  }
}

/** The generations whose formulas have computed stored values. */
async function readingSnapshots(
  { snapshots }: Pick<CommandDeps, 'snapshots'>,
  reader: RecordReader,
  present: RecordSnapshot,
): Promise<RecordSnapshot[]> {
  const bound = (await reader.boundGenerations()).filter((each) => each !== present.generation)
  return [present, ...bound.map((each) => snapshots.at(each))]
}

async function openErasures(reader: RecordReader): Promise<Set<string>> {
  return new Set((await reader.openJobs()).flatMap(({ id, kind }) => (kind === 'erase' ? [id] : [])))
}

function erasedOf(
  values: ErasedValues,
  sensitive: ReadonlyMap<FieldId, boolean>,
  hash: HashValue,
): ErasedValues {
  const erased = new Map<FieldId, string | null>()
  for (const [field, isText] of sensitive) {
    const value = values.get(field) ?? null
    if (value !== null && !isErased(value)) erased.set(field, isText ? hash(String(value)) : null)
  }
  return erased
}

/** Effects, calls, rows of bulk jobs, deliveries, kept replies, archived evidence and jobs, which contain values as text. */
async function redactTraces(
  tx: RecordTransactor,
  { records, fields, texts }: BlankedHistory,
  hash: HashValue,
): Promise<void> {
  const values = longestFirst(texts)
  await tx.rewriteEffects(records, (body) => redactJson(body, values, hash))
  await tx.rewriteEvents(records, (payload, sensitive) => redactEvent(payload, sensitive, { values, hash }))
  const redact = (text: string, isOfRecord: boolean): string =>
    isOfRecord ? redactText(text, values, hash) : redactLiterals(text, values, hash)
  await tx.rewriteOutbox(records, redact)
  const rows = ingestRewrite(values, hash)
  await tx.rewriteIngests(records, rows)
  await tx.rewriteDeliveries(records, {
    body: (text, isOfRecord) => rows.row(text, 'jsonl', isOfRecord),
    message: rows.message,
  })
  const found = new Set([...records, ...values.filter(isFindable)])
  await tx.emptyReplies((reply) => containsValue(JSON.parse(reply), found))
  // A signed bundle cannot be changed.
  await tx.removeEvidence((record, field) => fields.get(record)?.has(field) === true)
  for (const job of await tx.jobs(Number.MAX_SAFE_INTEGER)) {
    const redacted = redactedJob(job, records, redact)
    if (JSON.stringify(redacted) !== JSON.stringify(job)) await tx.putJob(redacted)
  }
  for (const job of await tx.jobsWithOutcomes()) {
    const redacted = withRedactedOutcomes(job, (text) => redactText(text, values, hash))
    if (JSON.stringify(redacted) !== JSON.stringify(job)) await tx.putJob(redacted)
  }
}

/** What was computed from sensitive values can differ from each of them. */
function redactEvent(
  payload: PlatformEvent['payload'],
  sensitive: readonly string[],
  { values, hash }: { values: readonly string[]; hash: HashValue },
): PlatformEvent['payload'] {
  const redacted = redactJson(payload, values, hash)
  const erased = sensitive.flatMap((key) => {
    const value = redacted[key] ?? null
    if (value === null || isErased(value as FieldValue)) return []
    return [[key, typeof value === 'string' ? hash(value) : null] as const]
  })
  return { ...redacted, ...Object.fromEntries(erased) }
}

/** @param redact receives whether a text is about a record with erased values */
function redactedJob(
  job: RecordJob,
  records: ReadonlySet<string>,
  redact: (text: string, isOfRecord: boolean) => string,
): RecordJob {
  const { filter, failures, problem, automation } = job
  const isOfRecord = automation !== null && records.has(automation.record)
  return {
    ...job,
    filter: filter === null ? null : redact(filter, false),
    failures: failures.map((each) => ({ ...each, message: redact(each.message, records.has(each.record)) })),
    problem: problem === null ? null : { ...problem, message: redact(problem.message, isOfRecord) },
  }
}

/** What was sent to an operation, and what callouts have returned. */
function withRedactedOutcomes(job: RecordJob, redact: (text: string) => string): RecordJob {
  const { automation, operation } = job
  const redacted = (outcomes: CalloutOutcomes = {}): CalloutOutcomes =>
    Object.fromEntries(
      Object.entries(outcomes).map(([key, { status, body }]) => [
        key,
        { status, body: body === null ? null : redactBody(body, redact) },
      ]),
    )
  return {
    ...job,
    automation: automation === null ? null : { ...automation, outcomes: redacted(automation.outcomes) },
    operation:
      operation === null
        ? null
        : {
            ...operation,
            params: JSON.parse(
              redactBody(JSON.stringify(operation.params), redact),
            ) as typeof operation.params,
            outcomes: redacted(operation.outcomes),
            ...(operation.claim !== null && { isErased: true }),
          },
  }
}
