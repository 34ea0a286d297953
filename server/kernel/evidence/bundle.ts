// The form of an evidence bundle: everything a replay needs, and a signature over it
// (docs/reference/bindings-and-evidence.md).
import { z } from 'zod'
import { bindingSchema, type Binding } from '../config/binding.ts'
import type { EvaluationInput } from '../config/bound-evaluation.ts'
import { isDigest, type Digest } from '../change/digest.ts'
import type { Component } from '../components/body-types.ts'

export const evidenceFormat = 'almanac-evidence/1'

const digest = z.string().refine(isDigest)
const lowerHex = (bytes: number) => z.string().regex(new RegExp(`^[0-9a-f]{${2 * bytes}}$`))

export const bundleSchema = z.strictObject({
  format: z.literal(evidenceFormat),
  org: z.strictObject({ lineage: z.string(), name: z.string(), environment: z.string() }),
  /** The generation that the binding names, as in the org's history. */
  generation: z.strictObject({
    generation: z.int(),
    at: z.string(),
    actor: z.string(),
    /** Null if the generation changed more than the bundle contains. */
    changeDigest: z.string().nullable(),
  }),
  result: z.strictObject({
    id: z.string(),
    label: z.string(),
    at: z.string(),
    actor: z.string(),
    expression: z.string(),
    inputs: z.array(
      z.strictObject({
        key: z.string(),
        type: z.enum(['number', 'text', 'boolean', 'date', 'datetime']),
        value: z.union([z.string(), z.boolean(), z.null()]),
      }),
    ),
    /** Canonical JSON text. */
    value: z.string(),
    binding: bindingSchema,
  }),
  /** Every revision that the replay reads, ascending by id. */
  components: z.array(z.strictObject({ digest, component: z.unknown() })),
  /**
   * The content of each bound set's digest: entries ascending by key, including those that the replay does not read.
   */
  sets: z.array(z.strictObject({ set: z.string(), definition: digest, entries: z.array(digest) })),
  /** Ed25519, of the org that signs. */
  publicKey: lowerHex(32),
  signature: lowerHex(64),
})

export interface EvidenceResult {
  id: string
  label: string
  at: string
  actor: string
  expression: string
  inputs: readonly EvaluationInput[]
  value: string
  binding: Binding
}

export interface EvidenceGeneration {
  generation: number
  at: string
  actor: string
  /** Null if the generation changed more than the bundle contains: values could be guessed from the digest. */
  changeDigest: string | null
}

export interface EvidenceBundle {
  format: typeof evidenceFormat
  org: { lineage: string; name: string; environment: string }
  generation: EvidenceGeneration
  result: EvidenceResult
  components: { digest: Digest; component: Component }[]
  sets: { set: string; definition: Digest; entries: Digest[] }[]
  publicKey: string
  signature: string
}
