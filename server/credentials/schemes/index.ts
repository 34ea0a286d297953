// How outgoing calls authenticate, one function for all schemes.
export { authenticate } from './authenticate.ts'
export type {
  AuthenticatedRequest,
  AuthenticationContext,
  OutgoingRequest,
  Secrets,
  TlsOptions,
} from './outgoing-request.ts'
export { slotValues, UnusableSecret, type SlotValues } from './slot-values.ts'
export { privateKeyOf, trustOptions } from './tls-options.ts'
