// Deliveries to webhook endpoints: how they are verified and read.
export { placeInBody, readDeliveredBody, valueAt, type DeliveredBody } from './delivered-body.ts'
export { idInBody, pointerOfId } from './delivery-id.ts'
export type { DeliveryHeaders } from './header-place.ts'
export { secretBytes } from './secret-bytes.ts'
export { signedHeaders } from './signed-headers.ts'
export { signedPieces } from './signed-payload.ts'
export {
  verificationSteps,
  verifyDelivery,
  type VerificationStep,
  type VerificationStepName,
  type Verified,
  type VerifyingSecret,
} from './verify-delivery.ts'
