// Who can do what to a change request, and when (docs/reference/pipeline-and-approvals.md); shared by the server and
// the studio's buttons.
import type { ErrorCode } from '../errors/catalogue.ts'
import { waitingStates, type ChangeRequestState, type ChangeRequestSummary } from './change-request.ts'

export type ChangeRequestAction =
  'edit' | 'approve' | 'reject' | 'withdraw' | 'comment' | 'schedule' | 'apply'

export interface Person {
  /** Key of the user. */
  user: string
  /** Whether the person has deploy.approve. */
  canApprove: boolean
  /** The user of the operating system who acts as `user`, on the command line or through the one-time link. */
  operator?: string | null | undefined
}

export interface Refusal {
  code: ErrorCode
  message: string
}

type Facts = Pick<
  ChangeRequestSummary,
  | 'id'
  | 'state'
  | 'author'
  | 'operator'
  | 'proposedApprovals'
  | 'requiredApprovals'
  | 'approvals'
  | 'contributors'
>

interface Rule {
  /** As in "to approve it". */
  verb: string
  by: readonly ('author' | 'approver')[] | 'anybody'
  /** Refused for the author, before any other rule. */
  notOneself?: true
  in: readonly ChangeRequestState[] | 'any'
}

const rules: Readonly<Record<ChangeRequestAction, Rule>> = {
  edit: { verb: 'edit', by: ['author'], in: waitingStates },
  approve: { verb: 'approve', by: ['approver'], notOneself: true, in: waitingStates },
  reject: { verb: 'reject', by: ['approver'], in: waitingStates },
  withdraw: { verb: 'withdraw', by: ['author'], in: waitingStates },
  comment: { verb: 'comment', by: 'anybody', in: 'any' },
  schedule: { verb: 'schedule', by: ['author', 'approver'], in: waitingStates },
  apply: { verb: 'apply', by: ['author', 'approver'], in: ['approved'] },
}

/** Returns why a person cannot perform the action on the request; null if they can. */
export function refusalOf(action: ChangeRequestAction, request: Facts, person: Person): Refusal | null {
  const rule = rules[action]
  const own = rule.notOneself === true ? ownApprovalMessage(request, person) : null
  if (own !== null) return { code: 'access.own_approval', message: own }
  if (request.proposedApprovals != null && changeListActions.has(action))
    return proposalRefusal(rule, request)
  if (!isBy(rule, request, person))
    return { code: 'access.denied', message: deniedMessage(rule, request, person) }
  return rule.in === 'any' || rule.in.includes(request.state) ? null : stateRefusal(rule, request)
}

/** Actions that are possible only for a change list. */
const changeListActions: ReadonlySet<ChangeRequestAction> = new Set(['edit', 'schedule', 'apply'])

function proposalRefusal({ verb }: Rule, { id, proposedApprovals }: Facts): Refusal {
  return {
    code: 'conflict.request_state',
    message: `Change request ${id} proposes ${proposedApprovals} required approvals. It takes effect with its last approval, so you cannot ${verb} it. Withdraw it and propose a different number.`,
  }
}

/**
 * Explains why a person cannot approve: they are the author, they drafted a part of the request, or they already
 * submitted or approved it as another user, as an operator.
 */
function ownApprovalMessage(
  { id, author, operator, approvals, contributors = [] }: Facts,
  person: Person,
): string | null {
  if (person.user === author)
    return `${author} is the author of change request ${id} and cannot approve it. Ask another user who has deploy.approve.`
  if (contributors.some(({ user }) => user === person.user))
    return `${person.user} drafted a part of change request ${id} and cannot approve it. Another user who has deploy.approve can.`
  if (person.operator == null) return null
  const drafted = contributors.find((each) => each.operator === person.operator)
  if (drafted !== undefined)
    return `The operator ${person.operator} drafted a part of change request ${id} as ${drafted.user} and cannot approve it as ${person.user} either. Another person who has deploy.approve can sign in and approve it.`
  if (person.operator === operator)
    return `The operator ${operator} submitted change request ${id} as ${author} and cannot approve it as ${person.user} either. Another person who has deploy.approve can sign in and approve it.`
  const twice = approvals.find(
    (approval) =>
      approval.counts && approval.approver !== person.user && approval.operator === person.operator,
  )
  if (twice === undefined) return null
  return `The operator ${person.operator} already approved change request ${id} as ${twice.approver}. A second approval must come from another person.`
}

/** Counts the valid approvals: without those that an edit voided or whose approver can no longer approve. */
export function countingApprovals({ approvals }: Pick<Facts, 'approvals'>): number {
  return approvals.filter(({ counts }) => counts).length
}

/** Returns `open` or `approved`, by the approvals that are valid. */
export function stateByApprovals(
  request: Pick<Facts, 'approvals' | 'requiredApprovals'>,
): 'open' | 'approved' {
  return countingApprovals(request) >= request.requiredApprovals ? 'approved' : 'open'
}

function isBy({ by }: Rule, { author }: Facts, { user, canApprove }: Person): boolean {
  if (by === 'anybody') return true
  return (by.includes('author') && user === author) || (by.includes('approver') && canApprove)
}

function deniedMessage({ verb, by }: Rule, { id, author }: Facts, { user }: Person): string {
  const who = by.includes('author') ? [`its author ${author}`] : []
  if (by.includes('approver')) who.push('a user who has deploy.approve')
  return `${user} cannot ${verb} change request ${id}. Only ${who.join(' or ')} can.`
}

function stateRefusal({ verb }: Rule, request: Facts): Refusal {
  const { id, state } = request
  if (state === 'open') return approvalRequired(request)
  if (state === 'failed')
    return {
      code: 'conflict.request_state',
      message: `Change request ${id} could not be applied on its date. Edit it, or change or remove its date, and then ${verb} it.`,
    }
  return {
    code: 'conflict.request_state',
    message: `Change request ${id} is ${state}, so nobody can ${verb} it. Create a new one.`,
  }
}

/** Returns the refusal for a request without enough approvals. */
export function approvalRequired(request: Facts): Refusal {
  const has = countingApprovals(request)
  return {
    code: 'deploy.approval_required',
    message: `Change request ${request.id} has ${has} of the ${request.requiredApprovals} approvals that this org requires. A user other than ${request.author} who has deploy.approve can approve it.`,
  }
}
