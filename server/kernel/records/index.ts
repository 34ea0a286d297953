// Records: programs of an object, values of fields, and what a save computes and checks.
export {
  automationsOn,
  operationProgram,
  type ActionProgram,
  type AutomationProgram,
  type OperationProgram,
} from './automation-programs.ts'
export {
  calloutResults,
  type CalloutOutcome,
  type CalloutOutcomes,
  type CalloutResults,
} from './callout-outcome.ts'
export { cellQuestion, type CellQuestion } from './cell-question.ts'
export { CellMap, fieldKey, type KeptInputs, type ShapeInput } from './cells.ts'
export { computeCells, type Shape } from './compute-cells.ts'
export { rollUpDifferences, staleRollups, type ChildChange, type StaleRollup } from './roll-up-cells.ts'
export { containsErased, erasedText, isErased } from './erased-value.ts'
export { evaluateCell, type CellEvaluation, type CellRequest } from './evaluate-cell.ts'
export { evaluateForCall, type CallInput } from './evaluate-call.ts'
export {
  asOfDate,
  evaluateForRecord,
  fieldValue,
  referencesRead,
  type RecordContext,
} from './evaluate-record.ts'
export {
  earlierFields,
  nextFieldIds,
  predecessor,
  type EarlierField,
  type FieldShape,
} from './field-identities.ts'
export {
  failureReason,
  expressionFailure,
  type FieldProblem,
  type FieldProblemCode,
} from './field-problem.ts'
export {
  compileFieldProgram,
  filterPlan,
  objectPrograms,
  rowPrograms,
  type FieldProgram,
  type ObjectPrograms,
} from './object-programs.ts'
export { parseFieldValue } from './parse-field-value.ts'
export { parseParam } from './parse-param.ts'
export type {
  ArchiveMark,
  ArchivedReads,
  FieldId,
  ObjectId,
  ReadAlong,
  RecordNames,
  RecordSnapshot,
  RecordState,
  StoredBinding,
} from './record-state.ts'
export { loadedWith, viewValues, type LoadedRecords, type RecordView } from './record-view.ts'
export { searchOrder, searchWords } from './search-words.ts'
export { storedPath } from './stored-path.ts'
export { storedForm } from './stored-form.ts'
export { asOfFieldOf } from './virtual-reads.ts'
export { validateRecord, type ValidationInput } from './validate-record.ts'
