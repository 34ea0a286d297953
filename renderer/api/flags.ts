// Feature flags: who owns them, how long they have left, and what blocks retiring one.
import type { FlagList, FlagRow } from '#wire/flags.ts'
import { get, post } from './request.ts'
import type { ComponentId, PlanAnswer } from './wire.ts'

export interface FlagQuery {
  /** active, expiring, frozen; all if omitted. */
  state?: string
  q?: string
  /** `user:mara` or `group:tax`. */
  owner?: string
  limit?: number
  cursor?: string
}

export const fetchFlags = (query: FlagQuery): Promise<FlagList> => get('/setup/v3/flags', { ...query })

/** Returns the flag of that key; null if it does not exist or is hidden. */
export async function fetchFlag(key: string): Promise<FlagRow | null> {
  let cursor: string | undefined
  do {
    const page = await fetchFlags({ q: key, limit: 500, ...(cursor === undefined ? {} : { cursor }) })
    const found = page.flags.find((flag) => flag.key === key)
    if (found) return found
    cursor = page.nextCursor ?? undefined
  } while (cursor !== undefined)
  return null
}

/** Checks the removal of these components, without drafting or applying anything. */
export const planRemovals = (removals: readonly ComponentId[]): Promise<PlanAnswer> =>
  post('/metadata/v3/plan', { removals })

export type { FlagList, FlagRow } from '#wire/flags.ts'
export type { FlagState } from '#kernel/components/feature-flag/lifetime.ts'
