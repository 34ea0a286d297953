// Calls of the operations of external services: requests and responses are checked against their description.
export type { SentArguments } from './argument-values.ts'
export { createOpenOperations, type OpenOperations } from './open-operations.ts'
export {
  createServiceCalls,
  type ServiceCall,
  type ServiceCallResult,
  type ServiceCalls,
  type ServiceCallsDeps,
} from './service-calls.ts'
export { operationRequest, type OperationRequest } from './operation-request.ts'
export { operationBody } from './operation-body.ts'
