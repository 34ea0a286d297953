// What evidence of a stored value contains: the formula with its inputs, as they were read at its binding.
import { AlmanacError } from '#kernel/errors/almanac-error.ts'
import {
  cellQuestion,
  containsErased,
  evaluateCell,
  type ArchivedReads,
  type CellEvaluation,
  type CellQuestion,
  type FieldId,
  type KeptInputs,
} from '#kernel/records/index.ts'
import type { Binding } from '#kernel/config/index.ts'
import { archivedReads } from '../archive/archived-reads.ts'
import { boundSnapshot, plainBinding } from './bound-snapshot.ts'
import { cellRequest } from './cell-request.ts'
import { shownInputs, type Explaining } from './explain-value.ts'

export interface ProvenValue extends CellQuestion {
  /** Of the record. */
  id: string
  label: string
  at: string
  actor: string
  binding: Binding
}

/** A value whose evidence can be archived. */
export interface ArchivableValue {
  proven: ProvenValue
  field: FieldId
  /** Of the record. */
  version: number
  reads: ArchivedReads
  inputs: KeptInputs
}

/**
 * @throws AlmanacError `request.invalid` for a field without a formula, `access.denied` for a hidden input, `record.erased`,
 * `generation.not_found`
 */
export async function proveValue(explaining: Explaining): Promise<ProvenValue> {
  return (await prove(explaining)).proven
}

/** @throws AlmanacError as `proveValue` */
export async function archivableValue(explaining: Explaining): Promise<ArchivableValue> {
  const { proven, evaluation } = await prove(explaining)
  const { snapshots, record, field, id } = explaining
  return {
    ...{ proven, field: id, version: record.version },
    reads: archivedReads(snapshots, record, id, field.type === 'text'),
    inputs: Object.fromEntries(evaluation.inputs.map(({ path, value }) => [path.join('.'), value])),
  }
}

async function prove(explaining: Explaining): Promise<{ proven: ProvenValue; evaluation: CellEvaluation }> {
  const { snapshots, reader, programs, record, field, id } = explaining
  const binding = record.bindings.get(id)
  if (binding === undefined || field.formula?.stored !== true)
    throw new AlmanacError(
      'request.invalid',
      `${programs.object}.${field.key} has no evidence: only the value of a stored formula has.`,
    )
  const snapshot = boundSnapshot(snapshots, binding)
  if (snapshot === null) {
    const { archive, at } = binding.archived!
    throw new AlmanacError(
      'generation.not_found',
      `The evidence of ${programs.object}.${field.key} was archived on ${at.slice(0, 10)} and generation ${binding.generation} was purged since. Its bundle is in the archive ${archive}.`,
    )
  }
  const request = await cellRequest(reader, { snapshot, record, field: id, scopePath: binding.scopePath })
  const evaluation = evaluateCell({ ...request, kept: record.inputs.get(id) ?? {}, scale: field.scale })!
  const { hiddenInputs } = await shownInputs(explaining, { snapshot, evaluation })
  if (hiddenInputs > 0)
    throw new AlmanacError(
      'access.denied',
      `${programs.object}.${field.key} reads ${hiddenInputs} ${hiddenInputs === 1 ? 'value' : 'values'} that you cannot read, and its evidence would show them.`,
    )
  const erased = evaluation.inputs.find(({ value }) => containsErased(value))
  if (erased !== undefined)
    throw new AlmanacError(
      'record.erased',
      `${field.key} cannot be proved: its input ${erased.path.join('.')} was erased.`,
    )
  const object = snapshot.names.objectKey(record.object)!
  const question = cellQuestion(snapshot, object, evaluation, record.values.get(id) ?? null)!
  const label = `${programs.object}.${field.key} of ${record.id}`
  const about = { id: record.id, label, at: record.changedAt, actor: record.changedBy }
  return { proven: { ...question, ...about, binding: plainBinding(binding) }, evaluation }
}
