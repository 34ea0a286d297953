// Evidence bundles: make, sign, and verify without an org (completions 3).
export type { EvidenceBundle } from './bundle.ts'
export { makeBundle } from './make-bundle.ts'
export { recordingWorld, type Recording } from './recording.ts'
export { signerOf, type Signer } from './signature.ts'
export { verifyBundle, type Verified, type VerifyOptions } from './verify-bundle.ts'
