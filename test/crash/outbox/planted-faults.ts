// Faults as a careless change could bring them in. The check must report each.
import type { Callouts } from '../../../server/callouts/index.ts'
import type { OpenedOrg } from '../../../server/compose/open-org.ts'
import type { StoredLimit } from '../../../server/ports/outbox.ts'

export type PlantedFault = 'one_token' | 'late_count' | 'forgotten_budget'

/** Each process begins with full budgets. */
export function plantInOrg(fault: string, org: OpenedOrg): OpenedOrg {
  if (fault !== 'forgotten_budget') return org
  const own = new Map<string, StoredLimit>()
  const { outbox } = org.records
  const limitOf = (credential: string): StoredLimit => own.get(credential) ?? { version: 0, text: null }
  return {
    ...org,
    records: {
      ...org.records,
      outbox: {
        ...outbox,
        limit: async (cell) => (cell.kind === 'budget' ? limitOf(cell.credential) : outbox.limit(cell)),
        swapLimit: async ({ cell, version, text }) => {
          if (cell.kind !== 'budget') return outbox.swapLimit({ cell, version, text })
          if (limitOf(cell.credential).version !== version) return false
          own.set(cell.credential, { version: version + 1, text })
          return true
        },
      },
    },
  }
}

/** Any claim can be finished by any worker, as if tokens were not compared. */
export function plantInWorker(fault: string, org: OpenedOrg): OpenedOrg {
  return fault === 'one_token' ? { ...org, ids: { uuid: () => 'token' } } : org
}

/** An attempt is counted once it has ended. */
export function plantInCallouts(fault: string, callouts: Callouts): Callouts {
  if (fault !== 'late_count') return callouts
  return {
    ...callouts,
    attempt: async (capability, { onAttempt, ...call }, made) => {
      const counts: (() => unknown)[] = []
      const onLate: typeof onAttempt = (start) => void counts.push(() => onAttempt?.(start))
      const report = await callouts.attempt(capability, { ...call, onAttempt: onLate }, made)
      for (const count of counts) await count()
      return report
    },
  }
}
