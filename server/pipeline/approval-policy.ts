// The gate between a change list and an org that requires approval (docs/reference/pipeline-and-approvals.md).
import type { ChangeCounts, Digest } from '#kernel/change/index.ts'
import type { Finding } from '#kernel/errors/finding.ts'
import type { OrgReader, OrgTransactor } from '../ports/org-store.ts'
import type { GenerationRequest } from '#wire/index.ts'
import type { LoadedChanges } from './change-source.ts'
import type { ApplyRequest, ChangeRequestTerms } from './request.ts'

/** A change list that was checked but not applied. */
export interface PendingChangeList {
  loadedChanges: LoadedChanges
  /** The generation that its author saw. */
  base: number
  changeDigest: Digest
  counts: ChangeCounts
  findings: readonly Finding[]
}

export interface ApprovalPolicy {
  /**
   * Decides whether a change list can be applied directly. Called in the transaction too, because an edit may come in
   * between. Returns the change request to which the list belongs; null for a direct change list.
   * @throws AlmanacError deploy.approval_required and those of applying a change request
   */
  admit(reader: OrgReader, request: ApplyRequest): GenerationRequest | null
  /** Called in the same transaction that wrote the generation. */
  recordApply(transactor: OrgTransactor, request: ApplyRequest, generation: number): void
  /** Saves a change list as a change request, in one transaction. @throws AlmanacError if it cannot be saved */
  save(
    transactor: OrgTransactor,
    request: ApplyRequest,
    list: PendingChangeList,
    terms: ChangeRequestTerms,
  ): void
}
