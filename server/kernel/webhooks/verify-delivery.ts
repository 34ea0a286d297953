// Verifies a delivery by its signature and its age, before anything of it is parsed (docs/reference/webhooks.md).
import type { WebhookEndpointBody } from '../components/webhook-endpoint/body.ts'
import { headerOfId } from './delivery-id.ts'
import { valuesAt, type DeliveryHeaders } from './header-place.ts'
import { isSameSignature, signaturesOf } from './signatures.ts'
import { signedPieces } from './signed-payload.ts'

/** In their order. `age` is only there if the endpoint names a header for the time, `id` if it names one for the id. */
export const verificationSteps = ['signature_header', 'timestamp', 'id', 'age', 'signature'] as const
export type VerificationStepName = (typeof verificationSteps)[number]

/** A step with what it found: never the expected signature, nor a secret. */
export interface VerificationStep {
  step: VerificationStepName
  isPassed: boolean
  /** A sentence. */
  detail: string
}

export interface VerifyingSecret {
  /** `next` is staged; `prior` was replaced, and its grace has not ended. */
  kind: 'current' | 'next' | 'prior'
  bytes: Uint8Array
}

export interface SignedDelivery {
  headers: DeliveryHeaders
  body: Uint8Array
}

export interface VerificationParts {
  secrets: readonly VerifyingSecret[]
  /** Milliseconds since 1970. */
  now: number
  /** HMAC with SHA-256 over the pieces as one. */
  hmac(secret: Uint8Array, pieces: readonly Uint8Array[]): Uint8Array
}

export type Verified =
  | {
      result: 'verified'
      steps: VerificationStep[]
      /** From its header; null if the endpoint names none. */
      id: string | null
      /** What was signed. */
      pieces: Uint8Array[]
    }
  /** `malformed`: a header is absent, or is not what it should be; `refused`: the signature or the age. */
  | { result: 'malformed' | 'refused'; steps: VerificationStep[] }

const printable = /^[\x21-\x7e]{1,255}$/

export function verifyDelivery(
  { verification, dedupe }: Pick<WebhookEndpointBody, 'verification' | 'dedupe'>,
  { headers, body }: SignedDelivery,
  { secrets, now, hmac }: VerificationParts,
): Verified {
  const { signatureHeader, signedPayload, timestampHeader, toleranceSec } = verification
  const steps: VerificationStep[] = []
  const note = (step: VerificationStepName, isPassed: boolean, detail: string): boolean => {
    steps.push({ step, isPassed, detail })
    return isPassed
  }
  const sent = valuesAt(headers, signatureHeader)
  let isComplete = note(
    'signature_header',
    sent.length > 0,
    sent.length > 0 ? `${signatureHeader} is present.` : `${signatureHeader} is missing.`,
  )
  const timestamp = timestampHeader === undefined ? '' : (valuesAt(headers, timestampHeader)[0] ?? '')
  if (timestampHeader !== undefined) {
    const isInteger = /^-?\d{1,15}$/.test(timestamp)
    const detail = isInteger
      ? `${timestampHeader} is ${timestamp}.`
      : timestamp === ''
        ? `${timestampHeader} is missing.`
        : `${timestampHeader} is not an integer: the seconds since 1970.`
    isComplete = note('timestamp', isInteger, detail) && isComplete
  }
  const idHeader = headerOfId(dedupe)
  const id = idHeader === null ? '' : (valuesAt(headers, idHeader)[0] ?? '')
  if (idHeader !== null) {
    const isReadable = printable.test(id)
    const detail = isReadable
      ? `${idHeader} is present.`
      : id === ''
        ? `${idHeader} is missing.`
        : `${idHeader} is longer than 255 characters, or contains others than printable ASCII.`
    isComplete = note('id', isReadable, detail) && isComplete
  }
  if (!isComplete) return { result: 'malformed', steps }
  let isGenuine = true
  if (timestampHeader !== undefined) {
    const age = Math.floor(now / 1000) - Number(timestamp)
    isGenuine = note('age', Math.abs(age) <= toleranceSec, ageText(age, toleranceSec))
  }
  const pieces = signedPieces(signedPayload, { timestamp, id, body })
  const signature = matchSignature(signaturesOf(sent), secrets, (secret) => hmac(secret, pieces))
  isGenuine = note('signature', signature.isPassed, signature.detail) && isGenuine
  return isGenuine
    ? { result: 'verified', steps, id: idHeader === null ? null : id, pieces }
    : { result: 'refused', steps }
}

function ageText(age: number, toleranceSec: number): string {
  const when = age < 0 ? `${-age} seconds in the future` : `${age} seconds old`
  return Math.abs(age) <= toleranceSec
    ? `The delivery is ${when}.`
    : `The delivery is ${when}; ${toleranceSec} seconds are allowed.`
}

/** Compares every signature with every secret, so that the time shows nothing about which one matches. */
function matchSignature(
  signatures: readonly Uint8Array[],
  secrets: readonly VerifyingSecret[],
  expectedWith: (secret: Uint8Array) => Uint8Array,
): Pick<VerificationStep, 'isPassed' | 'detail'> {
  const matching = secrets.flatMap(({ kind, bytes }) => {
    const expected = expectedWith(bytes)
    const matches = signatures.filter((signature) => isSameSignature(signature, expected))
    return matches.length > 0 ? [kind] : []
  })
  const [kind] = matching
  if (kind !== undefined) return { isPassed: true, detail: `The signature matches the ${kind} secret.` }
  const tried = secrets.map((secret) => secret.kind).join(', ')
  return {
    isPassed: false,
    detail:
      signatures.length === 0
        ? 'The header contains no signature of 32 bytes, in hexadecimal or base64.'
        : `None of the ${signatures.length} signatures matches a secret (tried: ${tried}).`,
  }
}
