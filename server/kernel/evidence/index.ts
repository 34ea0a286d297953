// Evidence bundles: make, sign, and verify without an org (docs/reference/bindings-and-evidence.md).
export type { EvidenceBundle } from './bundle.ts'
export { makeBundle } from './make-bundle.ts'
export { recordingSnapshot, type ReadRecording } from './recording.ts'
export { createSigner, type Signer } from './signature.ts'
export { verifyBundle, type VerificationResult, type VerifyOptions } from './verify-bundle.ts'
