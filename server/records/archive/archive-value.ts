// Archives the evidence of one value.
import { AlmanacError } from '#kernel/errors/almanac-error.ts'
import type { Actor, AuditFact } from '../../access/index.ts'
import type { RecordArchive } from '../../ports/record-archives.ts'
import type { RecordReader } from '../../ports/record-store.ts'
import type { Explaining } from '../read/explain-value.ts'
import { archivableValue, type ArchivableValue, type ProvenValue } from '../read/prove-value.ts'
import { accessDenied, staleVersion } from '../save/record-errors.ts'
import type { ArchivedRecord } from './archived-record.ts'

/** The archive of a value, and the text of its evidence bundle. */
export interface ArchivedBundle {
  archive: string
  evidence: string
}

/** Makes the signed bundle of a value. @throws AlmanacError `access.denied`, `generation.not_found`, `binding.differs` */
export type MakeEvidence = (by: Actor, value: ProvenValue) => Promise<string>

/**
 * The value to archive, or its bundle if the same user has archived it before: the reply to that request can be lost.
 * @param version of the record that is expected, unless the value is already archived
 * @throws AlmanacError `conflict.stale_version`, `access.denied`, `request.invalid`, `record.erased`, `generation.not_found`
 */
export async function valueToArchive(
  explaining: Explaining,
  version?: number,
): Promise<ArchivableValue | ArchivedBundle> {
  const { caller, reader, programs, record, id, field } = explaining
  if (!caller.access.may(programs.object, 'update'))
    throw accessDenied(caller.access.user, 'update', programs.object)
  const mark = record.bindings.get(id)?.archived
  const isOwn = mark?.by === caller.access.user
  const kept = isOwn ? await keptBundle(reader, mark.archive, record.id, id) : null
  if (kept !== null) return kept
  if (version !== undefined && version !== record.version)
    throw staleVersion(programs.object, record.id, version, record.version)
  if (mark === undefined) return archivableValue(explaining)
  throw new AlmanacError(
    'request.invalid',
    `The evidence of ${programs.object}.${field.key} was already archived by ${mark.by} on ${mark.at.slice(0, 10)}. Recompute the record to compute the value again.`,
  )
}

async function keptBundle(
  reader: RecordReader,
  archive: string,
  ...place: [record: string, field: Explaining['id']]
): Promise<ArchivedBundle | null> {
  const evidence = await reader.evidenceOf(archive, ...place)
  return evidence === undefined ? null : { archive, evidence }
}

export function archivedRecordOf(
  { field, version, reads, inputs, proven }: ArchivableValue,
  bundle: string,
): ArchivedRecord {
  return { id: proven.id, version, values: [{ field, reads, inputs, bundle }] }
}

/** An archived value for the audit. */
export function archiveFact(object: string, archive: RecordArchive, more: object): AuditFact {
  const after = { archive: archive.id, ...more }
  return { component: `object/${object}`, kind: 'records.archived', before: null, after }
}
