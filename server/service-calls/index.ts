// Calls of the operations of external services: requests and responses are checked against their description.
export type { SentArguments } from './argument-values.ts'
export { createOpenOperations, type OpenOperation, type OpenOperations } from './open-operations.ts'
export {
  createPayloads,
  runPayloadTask,
  type Payloads,
  type PayloadReply,
  type PayloadTask,
  type PayloadThread,
} from './payloads.ts'
export {
  createServiceCalls,
  type ServiceCall,
  type ServiceCallResult,
  type ServiceCalls,
  type ServiceCallsDeps,
} from './service-calls.ts'
export type { OperationRequest } from './operation-request.ts'
