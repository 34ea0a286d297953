// The budget of a request. Each route has one; properties that it does not declare have the defaults here.
import type { ErrorCode } from '#kernel/errors/catalogue.ts'
import { canAuthor, type EffectiveAccess } from '../access/index.ts'

/**
 * Where a request is handled: `here` on the main thread, for work that takes a few milliseconds; `quick` and `long` in
 * a worker of that lane, under the deadline and the memory limit.
 */
export type Lane = 'here' | 'quick' | 'long'

export interface Budget {
  /** Maximum bytes of a body after inflation. */
  bytes: number
  /** Maximum number of values in a JSON body: members of objects and items of lists, at all levels. */
  elements: number
  lane: Lane
  /** Bodies up to this many bytes are handled on the main thread, for any lane. */
  inlineUpToBytes: number
  /** Whether a small org handles it on the main thread, for any lane. */
  inlineForSmallOrgs: boolean
  /** Whether drafts of services decide how long it takes: with a large one, it is never handled on the main thread. */
  readsServiceDrafts: boolean
  /** Deadline of a worker, in milliseconds. */
  deadlineMs: number
  /** The error of a request that reaches it. */
  deadlineError: DeadlineError
}

export type DeadlineError = Extract<ErrorCode, 'limit.deadline' | 'limit.query_deadline'>

export const mebibyte = 1024 * 1024

export const defaultBudget: Budget = {
  bytes: mebibyte,
  elements: 10_000,
  lane: 'here',
  inlineUpToBytes: 0,
  inlineForSmallOrgs: false,
  readsServiceDrafts: false,
  deadlineMs: 30_000,
  deadlineError: 'limit.deadline',
}

/** A list of components, large enough for an org of 100,000 entries. Only for authors; others have the defaults. */
export const listBudget: Partial<Budget> = {
  bytes: 128 * mebibyte,
  elements: 2_500_000,
  lane: 'long',
  deadlineMs: 120_000,
}

/** The same for a route that writes: a short list is handled on the main thread, only its validation in a worker. */
export const listWriteBudget: Partial<Budget> = {
  ...listBudget,
  inlineUpToBytes: 64 * 1024,
  deadlineMs: 600_000,
}

/** A write of a change list, which can be of drafts: it imports the descriptions of their services first. */
export const changeListBudget: Partial<Budget> = { ...listWriteBudget, readsServiceDrafts: true }

/** A read of a whole org, or of all its drafts. */
export const wholeOrgBudget: Partial<Budget> = { lane: 'quick', inlineForSmallOrgs: true }

/** A write of many drafts, even with a small request: their number is known only when the write runs. */
export const manyDraftsBudget: Partial<Budget> = { lane: 'quick' }

/** A write over the whole history. */
export const historyBudget: Partial<Budget> = { lane: 'long', deadlineMs: 600_000 }

/** A query over records, which looks at as many as its filter needs. */
export const queryBudget: Partial<Budget> = {
  lane: 'quick',
  deadlineMs: 5000,
  deadlineError: 'limit.query_deadline',
}

export interface BudgetedRoute {
  budget?: Partial<Budget>
  /** Bodies above the default size are for authors. */
  largeFor?: 'authors'
}

/** Returns a function, because both budgets of a route are the same for every request. */
export function budgetsOf({
  budget = {},
  largeFor,
}: BudgetedRoute): (access: EffectiveAccess | null) => Budget {
  const declared = { ...defaultBudget, ...budget }
  const { bytes, elements } = defaultBudget
  const limited = largeFor === 'authors' ? { ...declared, bytes, elements } : declared
  return (access) => (limited === declared || (access !== null && canAuthor(access)) ? declared : limited)
}
