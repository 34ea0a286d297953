// HTTP types of the home page: what takes effect soon, what waits for the viewer, and what was recently applied.
import type { ChangeDescription } from '#kernel/change/change-description.ts'
import type { ComponentId } from '#kernel/components/component.ts'
import type { Scope } from '#kernel/components/scopes.ts'
import type { ChangeRequestState } from '#kernel/requests/index.ts'
import type { DraftState } from './components.ts'

/** One value that begins or ends on a day. */
export interface HomeChange {
  /** Key of the entry. */
  entry: string
  key: string | null
  scope: Scope
  /** Values in words; null if none applies before, or from that day on. */
  before: string | null
  after: string | null
}

/** Changes to one set on one day. */
export interface HomeDay {
  set: string
  label: string
  /** ISO date of the first day on which it applies. */
  day: string
  changes: HomeChange[]
  /** Number of changes; `changes` lists the first ones. */
  total: number
}

export interface HomeRequest {
  id: string
  title: string
  author: string
  authorName: string
  state: ChangeRequestState
  /** ISO date on which it is applied; null if a user applies it. */
  applyOn: string | null
  /** Valid approvals, and how many the org requires. */
  approvals: number
  requiredApprovals: number
  changes: number
}

export interface HomeRejectedRequest extends HomeRequest {
  /** The reason for the rejection. */
  reason: string
  rejectedBy: string
  at: string
}

export interface HomeFlag {
  key: string
  label: string
  ownerName: string
  /** ISO date of its last day. */
  expiresOn: string
  daysLeft: number
}

export interface HomeDraft {
  id: ComponentId
  state: DraftState
  updatedAt: string
  authorName: string
}

export interface HomeGeneration {
  generation: number
  at: string
  actorName: string
  rationale: string
  changes: ChangeDescription[]
  total: number
}

export interface HomeView {
  /** The org's current date, and the last day of the overview; ISO dates. */
  today: string
  until: string
  days: HomeDay[]
  /** Number of set days; `days` lists the first ones. */
  daysTotal: number
  requests: HomeRequest[]
  flags: HomeFlag[]
  /** Change requests that the viewer can approve but has not yet. */
  toApprove: HomeRequest[]
  /** The viewer's own recently rejected requests, newest first. */
  rejected: HomeRejectedRequest[]
  /** Drafts of components that were changed after the draft began. */
  conflicts: HomeDraft[]
  /** The viewer's own drafts, the latest first. */
  drafts: HomeDraft[]
  draftsTotal: number
  /** Number of others' drafts that the viewer can see. */
  othersTotal: number
  applied: HomeGeneration[]
}
