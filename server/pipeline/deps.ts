// The parts of the pipeline; server/compose/ connects them.
import type { Change, Sha256 } from '#kernel/change/index.ts'
import type { PrincipalDirectory } from '#kernel/components/define.ts'
import type { ComponentView } from '#kernel/components/view.ts'
import type { Finding } from '#kernel/errors/finding.ts'
import type { Viewer, Denial } from '../access/index.ts'
import type { Clock, IdGenerator } from '../ports/clock.ts'
import type { CompanionWriters } from '../ports/companion-writes.ts'
import type { KeyMoveHandler, KeyMove } from '../ports/key-moves.ts'
import type { OrgReader, OrgStore } from '../ports/org-store.ts'
import type { ApprovalPolicy } from './approval-policy.ts'
import type { FaultHook } from './stages/names.ts'

export interface AccessChecks {
  principals(reader: OrgReader): PrincipalDirectory
  /** Null for a user who sees everything. @throws AlmanacError user.not_found */
  viewer(reader: OrgReader, actor: string): Viewer | null
  /** @throws AlmanacError user.not_found */
  authorise(
    reader: OrgReader,
    actor: string,
    changes: readonly Change[],
    base: ComponentView | null,
    candidate: ComponentView,
  ): Denial[]
  /** Findings of a change list that would leave no user who can change rights. */
  lockoutFindings(
    reader: OrgReader,
    changes: readonly Change[],
    moves: readonly KeyMove[],
    base: ComponentView | null,
    candidate: ComponentView,
  ): Finding[]
}

export interface PipelineDeps {
  store: OrgStore
  clock: Clock
  ids: IdGenerator
  sha256: Sha256
  access: AccessChecks
  approvalPolicy: ApprovalPolicy
  /** Handlers for data that is bound to keys and follows them; called by each apply, even if no key moves. */
  followers: readonly KeyMoveHandler[]
  /** By name; see `CompanionWrite`. */
  companionWriters?: CompanionWriters
  faultHook?: FaultHook
}
