// External services: descriptions as bundles, typed operations, drift, and checked calls.
export { openService, type OpenService } from './call/open-service.ts'
export { readResponse, type ReceivedResponse } from './call/read-response.ts'
export {
  writeRequest,
  type CallableOperation,
  type CallArguments,
  type RequestResult,
  type WrittenRequest,
} from './call/write-request.ts'
export { type StructureChange } from './drift/compare-schemas.ts'
export { changeInWords, findDrift, type DriftSide, type OperationDrift } from './drift/drift.ts'
export {
  importDescription,
  type ImportedDescription,
  type ImportedOperation,
  type ImportOptions,
  type OperationSummary,
} from './import-description.ts'
export { descriptionLimits, type DescriptionLimits } from './read/limits.ts'
export { type DescriptionSource } from './read/read-description.ts'
export { type TypeWarning } from './types/schema-types.ts'
export { type ValueIssue } from './validate/check.ts'
export { parseExactJson, type ExactJson, type ExactValue } from './values/exact-json.ts'
export { readServiceValue, type ReadValue, type ServiceValue } from './values/service-value.ts'
