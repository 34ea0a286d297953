// Purges old content that no stored result binds (docs/reference/bindings-and-evidence.md).
import { requireActorPermission, recordAudit, type Actor } from '../access/index.ts'
import type { Org } from './org.ts'

export interface PurgeResult {
  /** Generations whose content is gone; their author, time and rationale stay, and so does the audit. */
  generations: number
  /** Number of versions of components that no generation has any more. */
  versions: number
}

/**
 * Purges the generations before this one. @throws AlmanacError access.denied, deploy.history_bound,
 * generation.not_found
 */
export function purgeBefore(
  { write, clock }: Pick<Org, 'write' | 'clock'>,
  by: Actor,
  before: number,
): Promise<PurgeResult> {
  return write((transactor) => {
    requireActorPermission(by, transactor, 'operations.manage', `to purge the generations before ${before}`)
    const purged = transactor.generations.purgeBefore(before)
    if (purged.generations > 0)
      recordAudit(transactor, by, clock.now(), {
        component: 'org/generations',
        kind: 'generations.purged',
        before: null,
        after: { before, ...purged },
      })
    return purged
  })
}
