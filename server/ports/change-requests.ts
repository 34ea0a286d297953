// Change requests in storage: the request, its change list as component files, its approvals and its events.
import type { ChangeCounts } from '#kernel/change/change.ts'
import type { Digest } from '#kernel/change/digest.ts'
import type { ApplyHints, ComponentId } from '#kernel/components/component.ts'
import type { Finding } from '#kernel/errors/finding.ts'
import type {
  ChangeRequestEvent,
  ChangeRequestFailure,
  ChangeRequestState,
  Contributor,
} from '#kernel/requests/index.ts'
import type { ComponentIdentity } from './identities.ts'

/** `approved` is never stored: it follows from the approvals and from the number that the org requires. */
export type StoredChangeRequestState = Exclude<ChangeRequestState, 'approved'>

export interface ChangeRequestRow {
  /** UUIDv7: ids increase with time. */
  id: string
  /** Increases with each edit. */
  revision: number
  state: StoredChangeRequestState
  title: string
  rationale: string
  author: string
  /** The user of the operating system who submitted it as its author; null over HTTP. */
  operator: string | null
  /** The number of required approvals that it proposes; null for a change list. */
  proposedApprovals: number | null
  createdAt: string
  updatedAt: string
  /** The digest that is approved: over `changeDigest` and `salt`. */
  digest: Digest
  /** Digest of its change list, as in its author's plan. */
  changeDigest: Digest
  /** Never shown. Empty if no part of the request is hidden from anyone. */
  salt: string
  /** The generation that its author saw. */
  base: number
  prune: boolean
  /** The generation that it rolls back to. */
  rollbackTo: number | null
  /** The generation from which a rollback or a revert brings fields of objects back. */
  restoresFrom: number | null
  /** The civil date on which it is applied automatically. */
  applyOn: string | null
  counts: ChangeCounts
  touches: ChangeRequestTargets
  /** Findings of the validation when it was submitted or last edited, as shown to its author. */
  findings: Finding[]
  /** Number of errors; the list can be truncated. */
  errors: number
  warnings: number
  failure: ChangeRequestFailure | null
  /** The generation that it became. */
  generation: number | null
  /** Users other than its author who drafted a part of it. */
  contributors: readonly Contributor[]
}

/** What a request touches, which decides who can see it. */
export interface ChangeRequestTargets {
  /** Sets and flags whose definition or entries it sets or removes. */
  sets: string[]
  /** Whether it sets or removes anything else. */
  others: boolean
  /** New key → old key of the sets and flags that it renames. Missing in requests of earlier versions. */
  renamed?: Record<string, string>
}

/** One component of its change list, as submitted. */
export interface ChangeRequestItem {
  id: ComponentId
  /** The file of the component; null removes it. */
  text: string | null
  hints: ApplyHints
  /** The generation of this component that its author saw, if it came from a draft. */
  base: number | null
  /** The version of that draft; if it still has this version, the draft is deleted when the request is applied. */
  draftVersion: number | null
  /** The users who wrote it, if known from a draft and not only the author of the request. */
  writers: readonly Contributor[] | null
  /** The removed component that it restores. */
  restores: ComponentIdentity | null
}

export interface ApprovalRow {
  request: string
  approver: string
  /** The user of the operating system who approved as `approver`. */
  operator?: string | null
  digest: Digest
  at: string
  comment: string
  voidedAt: string | null
}

export interface ChangeRequestEventRow extends ChangeRequestEvent {
  request: string
}

export interface ChangeRequestFilter {
  states?: readonly StoredChangeRequestState[]
  author?: string
  /** Returns only requests with this date or an earlier one. */
  dueBy?: string
  /** Returns only requests older than this id. */
  before?: string
  limit: number
}

export interface ChangeRequestReader {
  get(id: string): ChangeRequestRow | undefined
  /** Newest first. */
  list(filter: ChangeRequestFilter): ChangeRequestRow[]
  /** In the order in which they were submitted. */
  items(id: string): ChangeRequestItem[]
  /** All texts of its items, in any revision, that a user other than the author wrote. */
  contributedTexts(id: string): Pick<ChangeRequestItem, 'id' | 'text' | 'writers'>[]
  /** In chronological order, including voided ones. */
  approvals(request: string): ApprovalRow[]
  events(request: string): ChangeRequestEventRow[]
  /** Events of every request after `seq`, in order. */
  eventsAfter(seq: number): ChangeRequestEventRow[]
  /** Sequence number of the last event; 0 without events. */
  lastEventSeq(): number
}

export interface ChangeRequestTransactor extends ChangeRequestReader {
  /** Creates the request or replaces its row. */
  put(row: ChangeRequestRow): void
  /** Replaces its change list. The writers of each text are kept for later revisions. */
  putItems(id: string, items: Iterable<ChangeRequestItem>): void
  putApproval(row: Omit<ApprovalRow, 'voidedAt'>): void
  /** Voids the approvals that are not voided yet. Returns how many. */
  voidApprovals(request: string, at: string): number
  appendEvent(event: Omit<ChangeRequestEventRow, 'seq'>): void
}
