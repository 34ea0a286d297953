// HTTP types of change requests, shared by server, studio and command line (docs/reference/pipeline-and-approvals.md).
import type { ChangeCounts } from '../change/change.ts'
import type { ComponentId } from '../components/component.ts'
import type { Budget } from '../change/plan.ts'
import type { Finding } from '../errors/finding.ts'

/**
 * `open` waits for approvals, `approved` has enough approvals for its digest, `failed` could not be applied on its date
 * and waits for a user; the other three are final.
 */
export const changeRequestStates = ['open', 'approved', 'failed', 'applied', 'rejected', 'withdrawn'] as const

export type ChangeRequestState = (typeof changeRequestStates)[number]

/** The states that are not final. */
export const waitingStates = ['open', 'approved', 'failed'] as const satisfies readonly ChangeRequestState[]

/** A user who wrote a part of a change list. */
export interface Contributor {
  /** Key of the user. */
  user: string
  /** The user of the operating system who wrote as `user`. */
  operator: string | null
}

/** A change that users other than the author of the request drafted. */
export interface Contribution {
  id: ComponentId
  writers: readonly Contributor[]
}

export interface ChangeRequestApproval {
  /** Key of the user. */
  approver: string
  /** The user of the operating system who approved as `approver`. */
  operator?: string | null
  /** The digest that was approved. */
  digest: string
  at: string
  comment: string
  /** When an edit voided it; null while it is valid. */
  voidedAt: string | null
  /** Whether it counts: it is valid, and its approver can still approve. */
  counts: boolean
}

/** Kinds of events of a request, which are ordered by `seq`. */
export const changeRequestEventKinds = [
  'created',
  'edited',
  'approved',
  'approvals_voided',
  'commented',
  'scheduled',
  'unscheduled',
  'failed',
  'rejected',
  'withdrawn',
  'applied',
] as const

export type ChangeRequestEventKind = (typeof changeRequestEventKinds)[number]

export interface ChangeRequestEvent {
  seq: number
  at: string
  actor: string
  /** The user of the operating system who acted as `actor`. */
  operator?: string | null
  kind: ChangeRequestEventKind
  /** State and digest afterwards. */
  state: ChangeRequestState
  digest: string
  /** The comment, the reason, the date, what an edit changed, or what went wrong. */
  text: string
}

/** Why it could not be applied on its date. */
export interface ChangeRequestFailure {
  at: string
  /** Code from the error catalogue. */
  code: string
  message: string
  findings: Finding[]
}

/** An item of the list, and the response to every action. */
export interface ChangeRequestSummary {
  id: string
  /** Increases with each edit; an edit names the revision that it is based on. */
  revision: number
  state: ChangeRequestState
  title: string
  rationale: string
  author: string
  /** The user of the operating system who submitted it as its author; null over HTTP. */
  operator?: string | null
  /** The number of required approvals that it proposes; null for a change list. */
  proposedApprovals?: number | null
  /** Users other than the author who drafted a part of it. None of them can approve it. */
  contributors?: readonly Contributor[]
  createdAt: string
  updatedAt: string
  /** The digest that is approved: of its change list and a secret salt; the same for every viewer. */
  digest: string
  /** Digest of its change list alone, as in its author's plan; null for others who cannot see everything. */
  changeDigest: string | null
  /** The generation that its author saw. */
  base: number
  /** The generation that it rolls back to; null for any other change list. */
  rollbackTo: number | null
  counts: ChangeCounts
  /** The number of errors in the validation when it was submitted or last edited. */
  errors: number
  warnings: number
  /** How many approvals the org currently requires. */
  requiredApprovals: number
  /** Includes voided ones. */
  approvals: ChangeRequestApproval[]
  /** The civil date on which it is applied automatically; null if a user applies it. */
  applyOn: string | null
  failure: ChangeRequestFailure | null
  /** The generation that it became. */
  generation: number | null
}

/** A request with all details; `Changes` is the reader's type of its changes. */
export interface ChangeRequestDetailOf<Changes> extends ChangeRequestSummary {
  comments: ChangeRequestEvent[]
  history: ChangeRequestEvent[]
  /** State relative to the active generation; null after it was applied. */
  standing: ChangeRequestStanding | null
  /** Permissions that its author does not have: nobody can apply it until the author has them. */
  lacks: readonly string[]
  changes: Changes
  /** Contributions to the shown changes. */
  contributions: readonly Contribution[]
  /** Number of changes; the list can be truncated. */
  total: number
  /** Number of further changes that the caller cannot see. */
  hidden: number
  findings: Finding[]
  findingsTotal: number
  /** Bytes of slices; null after it was applied. */
  budget: Budget | null
}

/** State of a request relative to the current active generation. */
export interface ChangeRequestStanding {
  /** The generation that it was compared with. */
  generation: number
  /** Null if it would apply as approved; otherwise the code of the refusal. */
  stale: 'conflict.stale_plan' | 'conflict.stale_generation' | 'generation.not_found' | null
  message: string
  /** What others changed since, as base, theirs and mine. */
  conflicts: readonly unknown[]
}
