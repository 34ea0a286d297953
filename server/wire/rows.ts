// Types of an org's rows, shared by storage, server and studio (docs/reference/pipeline-and-approvals.md).
import type { JsonValue } from '#kernel/change/canonical.ts'
import type { ChangeCounts } from '#kernel/change/change.ts'
import type { Digest } from '#kernel/change/digest.ts'
import type { ApplyHints, ComponentId } from '#kernel/components/component.ts'
import type { Finding } from '#kernel/errors/finding.ts'
import type { Contributor } from '#kernel/requests/index.ts'

export type GenerationKind = 'init' | 'apply' | 'rollback' | 'revert'

/** The change request that a generation came from. */
export interface GenerationRequest {
  id: string
  author: string
  approvers: string[]
  /** The user who applied it; null if it was applied on its date. */
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
  /** Null for a viewer who cannot see everything that changed. */
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
  /** Component id, or the name of a runtime object (`user/mara`, `client/local`, `result/<id>`). */
  component: string
  /** added, changed, renamed, removed, or a runtime event such as `token.issued`. */
  kind: string
  before: JsonValue
  after: JsonValue
  /** Hints of the author for this apply. */
  hints?: ApplyHints
  rationale: string
  /** The change request of its generation. */
  request?: GenerationRequest
}

/** A draft without its text. */
export interface DraftSummary extends Omit<DraftRow, 'text' | 'operator'> {
  /** Whether the draft removes the component. */
  removes: boolean
}

/** `GET /setup/v3/draft-names`: the ids alone, because there can be thousands. */
export interface DraftNames {
  drafts: ComponentId[]
  /** For each draft that the caller did not write alone: its author, or a different user who wrote it. */
  others: Record<ComponentId, string>
  /** All writers of each draft that is not by `you` alone. */
  writers: Record<ComponentId, readonly Contributor[]>
  you: Contributor
}

/** Drafts that a user discarded together. */
export interface DiscardedDrafts {
  id: string
  at: string
  /** The time until which they can be restored. */
  until: string
  drafts: ComponentId[]
}

/** `PUT /setup/v3/drafts/{type}/{key}`. */
export interface SavedDraftView extends DraftRow {
  /** Findings of its text; if that has no errors, those of all drafts together for this component. */
  findings: Finding[]
  /** Whether the draft already had this text. */
  unchanged: boolean
}

export interface DraftRow {
  id: ComponentId
  /** The text as typed, valid JSON or not; null if the draft removes the component. */
  text: string | null
  /** Digest of the active component when the draft began; null for a new one, or if the reader cannot see it. */
  baseDigest: Digest | null
  baseGeneration: number
  /** Increases with each save; a save names the version that it is based on. */
  version: number
  /** The user who began the draft. It stays theirs, even if other users change it. */
  author: string
  /** The user who saved this version. */
  changedBy: string
  /** The user of the operating system who began it as `author`. */
  operator?: string
  /** The user of the operating system who saved this version as `changedBy`. */
  changedOperator?: string
  /**
   * Every user who saved a version, with the operator, in the order of their first save. None of them can approve it.
   */
  writers: readonly Contributor[]
  updatedAt: string
}
