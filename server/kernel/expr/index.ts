// The expression language: CEL over the org's metadata, exact and null-safe (docs/reference/expressions.md).
export {
  compileExpression,
  directReadsOf,
  fieldPathsOf,
  namedMembersOf,
  readsOfExpression,
  type CompileResult,
  type FieldPath,
  type Program,
} from './compile.ts'
export { constantKeysOf } from './constant-keys.ts'
export { completeExpression, type Completion, type CompletionItem } from './complete.ts'
export { computedFields, type ComputedField } from './computed-fields.ts'
export { chainText, cyclesOf, dependencyOrder } from './dependency-order.ts'
export { defaultCycles, formulaCycles, functionCycles, type ExprCycle } from './cycles.ts'
export type { EvalInput } from './evaluate.ts'
export { expressionFindings, rollupFindings } from './findings.ts'
export { stepCallFindings } from './step-calls.ts'
export {
  filterPlanOf,
  type Filter,
  type FilterField,
  type FilterOperand,
  type FilterOperator,
  type FilterPlan,
} from './filter.ts'
export { type BuiltIn } from './functions.ts'
export { libraryOf, type Library } from './library.ts'
export { objectOfSite } from './names.ts'
export { MeaningNumbers, Meanings, type MeaningNames } from './meaning.ts'
export { partsOfExpression } from './parts.ts'
export type { ExprProblem, ExprProblemCode } from './problem.ts'
export type { Reads, SetRead } from './reads.ts'
export type { RemoteFilter, RemoteFunction, RemoteOperand } from './remote-condition.ts'
export { remoteFilterPlanOf, type RemoteFilterPlan } from './remote-filter.ts'
export { renameInExpression, type ExprRename } from './rename.ts'
export { typeName } from './type-names.ts'
export {
  compareText,
  compareValues,
  DateValue,
  type ExprValue,
  exprValueFromField,
  exprValueToStored,
  Instant,
  parseInstant,
  type StoredForm,
  type StoredType,
  toCanonicalJson,
  valueToJson,
} from './values.ts'
export { placeOf, withFormula, type ErrorPlace } from './source-location.ts'
export { fieldsAsInputs } from './fields-as-inputs.ts'
