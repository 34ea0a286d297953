// Records: programs of an object, values of fields, and what a save computes and checks.
export { automationsOn, type ActionProgram, type AutomationProgram } from './automation-programs.ts'
export {
  computeCells,
  staleRollups,
  type KeptInputs,
  type Shape,
  type ShapeInput,
  type StaleRollup,
} from './compute-cells.ts'
export { evaluateForRecord, referencesRead, type RecordContext } from './evaluate-record.ts'
export { nextFieldIds, type EarlierField, type FieldShape } from './field-identities.ts'
export { failureReason, type FieldProblem, type FieldProblemCode } from './field-problem.ts'
export { objectPrograms, type FieldProgram, type ObjectPrograms } from './object-programs.ts'
export { parseFieldValue } from './parse-field-value.ts'
export type { FieldId, ObjectId, RecordNames, RecordSnapshot, RecordState } from './record-state.ts'
export { viewValues, type LoadedRecords, type RecordView } from './record-view.ts'
export { storedForm } from './stored-form.ts'
export { validateRecord, type ValidationInput } from './validate-record.ts'
