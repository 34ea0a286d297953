// Purges old content that no stored result binds (docs/reference/bindings-and-evidence.md).
import { AlmanacError } from '#kernel/errors/almanac-error.ts'
import {
  createResultFilter,
  effectiveAccess,
  recordAudit,
  requireActorPermission,
  type Actor,
  type ResultFilter,
} from '../access/index.ts'
import type { OrgReader } from '../ports/org-store.ts'
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
    requireUnbound(transactor, by, before)
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

/** Refuses with the number of results that the caller can see: others are only the reason for the refusal. */
function requireUnbound(
  reader: Pick<OrgReader, 'generations' | 'identities' | 'people' | 'results'>,
  by: Actor,
  before: number,
): void {
  const generation = reader.generations.active()
  // One that does not exist yet is refused by the store.
  if (before > generation) return
  const groups = reader.results.boundGroups().filter((group) => group.generation < before)
  if (groups.length === 0) return
  const view = reader.generations.view(generation)
  const maySee: ResultFilter =
    by.isOperator === true
      ? () => true
      : createResultFilter(reader, effectiveAccess(reader, by.actor, view), { generation, view })
  const counts = new Map(groups.map((group) => [group.generation, 0]))
  for (const group of groups.filter(maySee))
    counts.set(group.generation, counts.get(group.generation)! + group.count)
  const named = [...counts].map(([each, count]) => (count === 0 ? String(each) : `${each} (${count} stored)`))
  const unseen = groups.every(maySee)
    ? ''
    : ' You cannot see all of them: only a user who can read every set of a result can rebind or archive it.'
  throw new AlmanacError(
    'deploy.history_bound',
    `Stored results are bound to generation ${named.join(', ')}. Rebind or archive them first.${unseen}`,
    { details: [...counts].map(([each, results]) => ({ generation: each, results })) },
  )
}
