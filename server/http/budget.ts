// What one request may cost. Every route has a budget: what it does not declare, it has from the defaults here.
import { mayAuthor, type EffectiveAccess } from '../access/index.ts'

/**
 * Where a request is handled: `here` on the readers' thread, for work of a few milliseconds; `quick` and `long` in a
 * worker of that lane, under the deadline and the memory limit.
 */
export type Lane = 'here' | 'quick' | 'long'

export interface Budget {
  /** Most bytes of a body after inflation. */
  bytes: number
  /** Most values in a JSON body: members of objects and items of lists, at every level. */
  elements: number
  lane: Lane
  /** Bodies up to this many bytes are handled here, whatever the lane. */
  hereUpTo: number
  /** Whether it is handled here in a small org, whatever the lane. */
  smallOrgsHere: boolean
  /** Milliseconds that a worker may take. */
  deadlineMs: number
}

export const mebibyte = 1024 * 1024

export const defaultBudget: Budget = {
  bytes: mebibyte,
  elements: 10_000,
  lane: 'here',
  hereUpTo: 0,
  smallOrgsHere: false,
  deadlineMs: 30_000,
}

/** A list of components, as a whole org of 100,000 entries needs it. Only for authors; others have the defaults. */
export const listBudget: Partial<Budget> = {
  bytes: 128 * mebibyte,
  elements: 2_500_000,
  lane: 'long',
  deadlineMs: 120_000,
}

/** The same for a route that writes: a short list is handled here, and only its judging runs in a worker. */
export const writtenListBudget: Partial<Budget> = { ...listBudget, hereUpTo: 64 * 1024, deadlineMs: 600_000 }

/** A read that goes through a whole org, or through all of its drafts. */
export const wholeOrgBudget: Partial<Budget> = { lane: 'quick', smallOrgsHere: true }

/** A write of many drafts, however small its request: their number is known only once the write runs. */
export const manyDraftsBudget: Partial<Budget> = { lane: 'quick' }

/** A write that goes through the whole history. */
export const historyBudget: Partial<Budget> = { lane: 'long', deadlineMs: 600_000 }

export interface Budgeted {
  budget?: Partial<Budget>
  /** Bodies above the default size are for authors. */
  largeFor?: 'authors'
}

export function budgetOf({ budget = {}, largeFor }: Budgeted, access: EffectiveAccess | null): Budget {
  const declared = { ...defaultBudget, ...budget }
  if (largeFor !== 'authors' || (access !== null && mayAuthor(access))) return declared
  const { bytes, elements } = defaultBudget
  return { ...declared, bytes, elements }
}
