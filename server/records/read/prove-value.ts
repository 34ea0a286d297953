// What evidence of a stored value contains: the formula with its inputs, as they were read at its binding.
import { AlmanacError } from '#kernel/errors/almanac-error.ts'
import { cellQuestion, containsErased, evaluateCell, type CellQuestion } from '#kernel/records/index.ts'
import type { Binding } from '#kernel/config/index.ts'
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

/** @throws AlmanacError `request.invalid` for a field without a formula, `access.denied` for a hidden input, `record.erased` */
export async function proveValue(explaining: Explaining): Promise<ProvenValue> {
  const { snapshots, reader, programs, record, field, id } = explaining
  const binding = record.bindings.get(id)
  if (binding === undefined || field.formula?.stored !== true)
    throw new AlmanacError(
      'request.invalid',
      `${programs.object}.${field.key} has no evidence: only the value of a stored formula has.`,
    )
  const snapshot = snapshots.at(binding.generation)
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
  return { ...question, id: record.id, label, at: record.changedAt, actor: record.changedBy, binding }
}
