// Change requests in storage: the request, its change list as component files, its approvals, and what happened to it.
import type { ChangeCounts } from '#kernel/change/change.ts'
import type { Digest } from '#kernel/change/digest.ts'
import type { ApplyHints, ComponentId } from '#kernel/components/component.ts'
import type { Finding } from '#kernel/errors/finding.ts'
import type {
  ChangeRequestEvent,
  ChangeRequestFailure,
  ChangeRequestState,
  Writer,
} from '#kernel/requests/index.ts'
import type { ComponentIdentity } from './identities.ts'

/** Whether an open one has enough approvals is never stored: it follows from them, and from what the org asks for. */
export type StoredChangeRequestState = Exclude<ChangeRequestState, 'approved'>

export interface ChangeRequestRow {
  /** UUIDv7, so that ids grow with time. */
  id: string
  /** Grows with each edit. */
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
  /** What approvals bind to: over `changeDigest` and `salt`. */
  digest: Digest
  /** Of its change list, as the plan of its author had it. */
  changeDigest: Digest
  /** Never shown. Empty where nothing of the request is hidden from anybody. */
  salt: string
  /** The generation that its author saw. */
  base: number
  prune: boolean
  /** The generation that it rolls back to. */
  rollbackTo: number | null
  /** The civil date on which it applies itself. */
  applyOn: string | null
  counts: ChangeCounts
  touches: ChangeRequestTouches
  /** What its validation said when it was submitted or last edited, to its author. */
  findings: Finding[]
  /** How many there were, where the list is cut. */
  errors: number
  warnings: number
  failure: ChangeRequestFailure | null
  /** The generation that it became. */
  generation: number | null
  /** Users beside its author who drafted a part of it. */
  contributors: readonly Writer[]
}

/** What a request is about, for who may know of it. */
export interface ChangeRequestTouches {
  /** Sets and flags whose definition or entries it gives or removes. */
  sets: string[]
  /** Whether it gives or removes anything else. */
  others: boolean
  /** New key → old key of the sets and flags that it renames. Requests of earlier versions do not say it. */
  renamed?: Record<string, string>
}

/** One component of its change list, as it was given. */
export interface ChangeRequestItem {
  id: ComponentId
  /** The file of the component; null removes it. */
  text: string | null
  hints: ApplyHints
  /** The generation that its author saw of this one component, where it came from a draft. */
  base: number | null
  /** The version of that draft; at this version it is gone once the request is applied. */
  draftVersion: number | null
  /** Who wrote it, if a draft says so and it was not the author of the request alone. */
  writers: readonly Writer[] | null
  /** The removed component that it brings back. */
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
  /** Only those whose date is this one or an earlier one. */
  dueBy?: string
  /** Only those that are older than this id. */
  before?: string
  limit: number
}

export interface ChangeRequestReads {
  changeRequest(id: string): ChangeRequestRow | undefined
  /** Newest first. */
  changeRequests(filter: ChangeRequestFilter): ChangeRequestRow[]
  /** In the order in which they were given. */
  changeRequestItems(id: string): ChangeRequestItem[]
  /** The texts that its items ever had and that a user beside the author wrote. */
  changeRequestWriters(id: string): Pick<ChangeRequestItem, 'id' | 'text' | 'writers'>[]
  /** In the order of time, those that were voided among them. */
  approvals(request: string): ApprovalRow[]
  changeRequestEvents(request: string): ChangeRequestEventRow[]
  /** Events of every request after `seq`, in their order. */
  changeRequestEventsAfter(seq: number): ChangeRequestEventRow[]
  /** 0 where nothing ever happened. */
  lastChangeRequestEvent(): number
}

export interface ChangeRequestWrites {
  /** Makes the request or replaces its row. */
  putChangeRequest(row: ChangeRequestRow): void
  /** Replaces its change list. The writers of each text are kept for later revisions. */
  putChangeRequestItems(id: string, items: Iterable<ChangeRequestItem>): void
  putApproval(row: Omit<ApprovalRow, 'voidedAt'>): void
  /** Voids those that stand. Answers how many. */
  voidApprovals(request: string, at: string): number
  appendChangeRequestEvent(event: Omit<ChangeRequestEventRow, 'seq'>): void
}
