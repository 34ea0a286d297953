// What stands between a change list and the org where somebody must approve it first (completions 4: change requests).
import type { ChangeCounts, Digest } from '#kernel/change/index.ts'
import type { Finding } from '#kernel/errors/finding.ts'
import type { GenerationRequest, OrgReader, OrgTransactor } from '../ports/org-store.ts'
import type { GivenChanges } from './change-source.ts'
import type { ApplyRequest, WaitingTerms } from './request.ts'

/** A change list that was judged and is not applied. */
export interface WaitingList {
  given: GivenChanges
  /** The generation that its author saw. */
  base: number
  changeDigest: Digest
  counts: ChangeCounts
  findings: readonly Finding[]
}

export interface Gate {
  /**
   * Whether a change list may apply as it came. Asked in the transaction too, because an edit may come in between.
   * Answers the change request that it is; null for a change list of its own.
   * @throws AlmanacError deploy.approval_required and those of applying a change request
   */
  admit(reader: OrgReader, request: ApplyRequest): GenerationRequest | null
  /** In the very transaction that wrote the generation. */
  applied(transactor: OrgTransactor, request: ApplyRequest, generation: number): void
  /** Keeps a change list that waits, in one transaction. @throws AlmanacError where it may not be kept so */
  keep(transactor: OrgTransactor, request: ApplyRequest, list: WaitingList, terms: WaitingTerms): void
}
