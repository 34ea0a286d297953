// Values of services: JSON with exact numbers, and its conversion to the values of expressions.
export { parseExactJson, writeExactJson, type ExactJson, type ExactValue } from './exact-json.ts'
export {
  readServiceValue,
  writeServiceValue,
  type ReadValue,
  type ServiceValue,
  type ValueIssue,
} from './service-value.ts'
