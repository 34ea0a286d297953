// Purges old content that no stored result binds (docs/reference/bindings-and-evidence.md).
import { splitId } from '#kernel/components/component.ts'
import { AlmanacError } from '#kernel/errors/almanac-error.ts'
import {
  createResultFilter,
  effectiveAccess,
  recordAudit,
  requireActorPermission,
  type Actor,
  type ResultFilter,
} from '../access/index.ts'
import type { ComponentIdentity } from '../ports/identities.ts'
import type { OrgReader } from '../ports/org-store.ts'
import type { Org } from './org.ts'

export interface PurgeResult {
  /** Generations whose content is gone; their author, time and rationale stay, and so does the audit. */
  generations: number
  /** Number of versions of components that no generation has any more. */
  versions: number
}

/** How long a description is kept that nothing names: a plan that was made with it can still be applied. */
const unusedDescriptionDays = 90

const daysBefore = (instant: string, days: number): string =>
  new Date(Date.parse(instant) - days * 86_400_000).toISOString()

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
    requireUnboundRecords(transactor, by, before)
    const purged = transactor.generations.purgeBefore(before)
    transactor.descriptions.deleteUnused(daysBefore(clock.now(), unusedDescriptionDays))
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

/** Refuses with the objects whose records are bound, and how many of each; only objects that the caller can read. */
function requireUnboundRecords(
  reader: Pick<OrgReader, 'generations' | 'identities' | 'people' | 'recordFacts'>,
  by: Actor,
  before: number,
): void {
  const active = reader.generations.active()
  if (before > active) return
  const bound = reader.recordFacts.boundRecords(before)
  if (bound.length === 0) return
  const { platformRoot, objects } = effectiveAccess(reader, by.actor, reader.generations.view(active))
  const maySee = (object: string): boolean =>
    by.isOperator === true || platformRoot || (Object.hasOwn(objects, object) && objects[object]!.read)
  const seen = bound.flatMap(({ object: id, records, generations }) => {
    const period = reader.identities.keyPeriods(id as unknown as ComponentIdentity).at(-1)
    const object = period === undefined ? undefined : splitId(period.id).key
    return object === undefined || !maySee(object) ? [] : [{ object, records, generations }]
  })
  const all = [...new Set(bound.flatMap(({ generations }) => generations))].sort((a, b) => a - b)
  const named = seen.map(
    ({ object, records }) =>
      `${records.toLocaleString('en')} ${records === 1 ? 'record' : 'records'} of ${object}`,
  )
  const others = seen.length < bound.length ? ['records of objects that you cannot read'] : []
  throw new AlmanacError(
    'deploy.history_bound',
    `Stored values are bound to generation ${all.join(', ')}: those of ${[...named, ...others].join(', ')}. Rebind or archive the records of each object that are bound to a generation before ${before} first.`,
    { details: seen },
  )
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
