// A change request as it travels: the server answers it, the studio and the command line read it (completions 4, 5).
import type { ChangeCounts } from '../change/change.ts'
import type { ComponentId } from '../components/component.ts'
import type { Budget } from '../change/plan.ts'
import type { Finding } from '../errors/finding.ts'

/**
 * `open` waits for approvals, `approved` has enough of them for its digest, `failed` could not be applied on its date
 * and waits for somebody; the other three are the end of it.
 */
export const changeRequestStates = ['open', 'approved', 'failed', 'applied', 'rejected', 'withdrawn'] as const

export type ChangeRequestState = (typeof changeRequestStates)[number]

/** What of a request still can become of it. */
export const waitingStates = ['open', 'approved', 'failed'] as const satisfies readonly ChangeRequestState[]

/** A user who wrote a part of a change list. */
export interface Writer {
  /** Key of the user. */
  user: string
  /** The user of the operating system who wrote as `user`. */
  operator: string | null
}

/** A change that was drafted by others than the author of the request. */
export interface Contribution {
  id: ComponentId
  writers: readonly Writer[]
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
  /** When an edit voided it; null while it stands. */
  voidedAt: string | null
  /** Whether it counts: it stands, and its approver still may approve. */
  counts: boolean
}

/** What happened to a request, in the order of `seq`. */
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
  /** Of the error catalogue. */
  code: string
  message: string
  findings: Finding[]
}

/** One of a list, and the answer to every verb. */
export interface ChangeRequestSummary {
  id: string
  /** Grows with each edit; an edit names the one it saw. */
  revision: number
  state: ChangeRequestState
  title: string
  rationale: string
  author: string
  /** The user of the operating system who submitted it as its author; null over HTTP. */
  operator?: string | null
  /** The number of required approvals that it proposes; null for a change list. */
  proposedApprovals?: number | null
  /** Users beside the author who drafted a part of it. None of them approves it. */
  contributors?: readonly Writer[]
  createdAt: string
  updatedAt: string
  /** What approvals bind to: digest of its change list and of a secret salt, the same for everybody who sees the request. */
  digest: string
  /** Digest of its change list alone, as the plan of its author has it; null for others who may not see everything. */
  changeDigest: string | null
  /** The generation that its author saw. */
  base: number
  /** The generation that it rolls back to; null for any other change list. */
  rollbackTo: number | null
  counts: ChangeCounts
  /** Of the validation when it was submitted or last edited. */
  errors: number
  warnings: number
  /** How many the org asks for now. */
  requiredApprovals: number
  /** Those that an edit voided are among them. */
  approvals: ChangeRequestApproval[]
  /** The civil date on which it applies itself; null where somebody does it. */
  applyOn: string | null
  failure: ChangeRequestFailure | null
  /** The generation that it became. */
  generation: number | null
}

/** One with all that is known of it; `Changes` as they are listed where it is read. */
export interface ChangeRequestDetailOf<Changes> extends ChangeRequestSummary {
  comments: ChangeRequestEvent[]
  history: ChangeRequestEvent[]
  /** Over the active generation; null once it was applied. */
  standing: ChangeRequestStanding | null
  /** Permissions that its author lacks now: nobody can apply it until the author holds them. */
  lacks: readonly string[]
  changes: Changes
  /** Of the changes that are shown. */
  contributions: readonly Contribution[]
  /** How many there are, where the list is cut. */
  total: number
  /** How many more there are that whoever asks may not see. */
  hidden: number
  findings: Finding[]
  findingsTotal: number
  /** Bytes of slices; null once it was applied. */
  budget: Budget | null
}

/** How a request stands over the active generation of today. */
export interface ChangeRequestStanding {
  /** The generation that it was judged over. */
  generation: number
  /** Null where it would apply as it was approved; otherwise why not, as the code of the refusal. */
  stale: 'conflict.stale_plan' | 'conflict.stale_generation' | 'generation.not_found' | null
  message: string
  /** What others changed since, as base, theirs and mine. */
  conflicts: readonly unknown[]
}
