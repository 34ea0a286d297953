// Verifies a bundle without an org: form, signature, every digest, and a byte-exact replay
// (docs/reference/bindings-and-evidence.md).
import { canonicalJson, type JsonValue } from '../change/canonical.ts'
import { nobleSha256, type Sha256 } from '../change/sha256.ts'
import type { ComponentOf } from '../components/body-types.ts'
import { MemoryView } from '../components/memory-view.ts'
import { replay, type EvaluationSnapshot } from '../config/bound-evaluation.ts'
import { buildSetSlice } from '../config/slice.ts'
import type { SetSlice } from '../config/slice-types.ts'
import type { EvidenceBundle } from './bundle.ts'
import { digestMismatches } from './digest-mismatches.ts'
import { parseBundle } from './parse-bundle.ts'
import { fingerprintOf, isSignatureValid } from './signature.ts'

export interface VerifyOptions {
  /** The signer that must have signed: its public key in hexadecimal, or its fingerprint. */
  expectedKey?: string
  sha256?: Sha256
}

export type VerificationResult =
  | {
      ok: true
      /** Canonical JSON text of the recomputed value. */
      value: string
      type: string
      /**
       * The signing key. A bundle that was re-signed by another signer also verifies, with that signer's fingerprint.
       */
      fingerprint: string
      publicKey: string
      bundle: EvidenceBundle
    }
  | { ok: false; reasons: string[]; fingerprint: string | null }

/** Takes the bytes of the file, or its text. Reports every reason that it finds; never throws. */
export function verifyBundle(evidence: string | Uint8Array, options: VerifyOptions = {}): VerificationResult {
  const read = parseBundle(evidence)
  if (typeof read === 'string') return { ok: false, reasons: [read], fingerprint: null }
  const sha256 = options.sha256 ?? nobleSha256
  const fingerprint = fingerprintOf(read.publicKey)
  const reasons = [
    ...signatureReasons(read, fingerprint, options.expectedKey),
    ...digestMismatches(read, sha256),
  ]
  if (reasons.length > 0) return { ok: false, reasons, fingerprint }
  const replayed = replayReasons(read, sha256)
  if ('reasons' in replayed) return { ok: false, reasons: replayed.reasons, fingerprint }
  return { ok: true, ...replayed, fingerprint, publicKey: read.publicKey, bundle: read }
}

function signatureReasons(
  bundle: EvidenceBundle,
  fingerprint: string,
  expected: string | undefined,
): string[] {
  const reasons: string[] = []
  if (!isSignatureValid(bundle))
    reasons.push('The signature is not valid: the content was changed after it was signed.')
  if (expected === undefined) return reasons
  const wanted = expected.trim().toLowerCase()
  if (![bundle.publicKey, fingerprint, fingerprint.slice('sha256:'.length)].includes(wanted))
    reasons.push(`The bundle is signed by ${fingerprint}, not by the expected key, ${expected.trim()}.`)
  return reasons
}

function replayReasons(
  bundle: EvidenceBundle,
  sha256: Sha256,
): { reasons: string[] } | { value: string; type: string } {
  const { result, generation } = bundle
  if (generation.generation !== result.binding.generation)
    return {
      reasons: [
        `The binding names generation ${result.binding.generation}, but the bundle contains generation ${generation.generation}.`,
      ],
    }
  try {
    const replayed = replay(result, snapshotOf(bundle), sha256)
    const reasons = replayed.differences.map(
      ({ kind, key }) => `The ${kind} ${key} is not what the binding recorded.`,
    )
    if (
      canonicalJson(replayed.binding as unknown as JsonValue) !==
      canonicalJson(result.binding as unknown as JsonValue)
    )
      reasons.push('The binding of the replay differs from the recorded one.')
    if (replayed.value !== result.value)
      reasons.push(`The replay gives ${replayed.value}, but the result has ${result.value}.`)
    return reasons.length > 0 ? { reasons } : { value: replayed.value, type: replayed.type }
  } catch (error) {
    return { reasons: [`The replay failed: ${error instanceof Error ? error.message : String(error)}`] }
  }
}

function snapshotOf({ components, result }: EvidenceBundle): EvaluationSnapshot {
  const view = new MemoryView(components.map(({ component }) => component))
  const sets = new Map<string, SetSlice>()
  for (const [key, digest] of Object.entries(result.binding.config)) {
    const definition: ComponentOf<'config_set'> | ComponentOf<'feature_flag'> | undefined =
      view.get('config_set', key) ?? view.get('feature_flag', key)
    if (definition !== undefined) sets.set(key, buildSetSlice(definition, view.entriesOf(key), digest))
  }
  const { generation } = result.binding
  return { generation, view, slice: { generation, sets, bytes: 0 } }
}
