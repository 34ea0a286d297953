// The rows of an org, as the storage keeps them, the server sends them and the studio reads them: types only (completions 4).
import type { JsonValue } from '../change/canonical.ts'
import type { ChangeCounts } from '../change/change.ts'
import type { Digest } from '../change/digest.ts'
import type { ApplyHints, ComponentId } from '../components/component.ts'
import type { Writer } from '../requests/index.ts'

export type GenerationKind = 'init' | 'apply' | 'rollback' | 'revert'

/** The change request that a generation came from. */
export interface GenerationRequest {
  id: string
  author: string
  approvers: string[]
  /** Who applied it; null where its date did. */
  appliedBy: string | null
}

export interface GenerationRow {
  generation: number
  kind: GenerationKind
  at: string
  actor: string
  /** The user of the operating system who acted as `actor` on the command line or through the one-time link. */
  operator?: string
  rationale: string
  correlationId: string
  /** Null for a viewer who does not see all that changed. */
  changeDigest: string | null
  counts: ChangeCounts
  /** Bytes of materialised slices. */
  sliceBytes: number
  request?: GenerationRequest
}

/** One version of one component: the generations `from` up to, not including, `to` (null: still active). */
export interface VersionRow {
  id: ComponentId
  digest: Digest
  from: number
  to: number | null
  at: string
  actor: string
}

export interface AuditRow {
  id: string
  at: string
  actor: string
  /** The user of the operating system who acted as `actor`. */
  operator?: string
  correlationId: string
  generation: number | null
  /** Component id, or the name of the runtime thing (`user/mara`, `client/local`, `result/<id>`). */
  component: string
  /** added, changed, renamed, removed, or a runtime fact such as `token.issued`. */
  kind: string
  before: JsonValue
  after: JsonValue
  /** What the author added for that one apply (completions 1). */
  hints?: ApplyHints
  rationale: string
  /** Of its generation. */
  request?: GenerationRequest
}

/** What is known of a draft without its text. */
export interface DraftBrief extends Omit<DraftRow, 'text' | 'operator'> {
  /** Whether it removes the component. */
  removes: boolean
}

/** Drafts that a user discarded at once. */
export interface DiscardedDrafts {
  id: string
  at: string
  /** Until when they can be restored. */
  until: string
  drafts: ComponentId[]
}

export interface DraftRow {
  id: ComponentId
  /** The text as typed, valid JSON or not; null where the draft removes the component. */
  text: string | null
  /** Digest of the active component when the draft began; null for a new one, and for what its reader may not see. */
  baseDigest: Digest | null
  baseGeneration: number
  /** Grows with each save; a save names the one it saw. */
  version: number
  /** Who began the draft. It stays theirs, whoever changes it. */
  author: string
  /** Who saved this version. */
  changedBy: string
  /** The user of the operating system who began it as `author`. */
  operator?: string
  /** The user of the operating system who saved this version as `changedBy`. */
  changedOperator?: string
  /** Every user who saved a version of it, with the operator, in the order of their first save. None of them approves it. */
  writers: readonly Writer[]
  updatedAt: string
}
