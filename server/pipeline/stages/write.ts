// Write: versions, generation, audit and what follows renames, in one transaction.
import { afterOf, type Change, type PlannedChange } from '#kernel/change/index.ts'
import type { ApplyHints, ComponentId } from '#kernel/components/component.ts'
import { recordAudit } from '../../access/index.ts'
import type { CompanionWrite } from '../../ports/companion-writes.ts'
import type { ComponentIdentity } from '../../ports/identities.ts'
import type { OrgTransactor } from '../../ports/org-store.ts'
import type { GenerationKind } from '#wire/index.ts'
import type { VersionWrite } from '../../ports/generations.ts'
import { writeCompanion } from '../companion-writes.ts'
import type { PipelineDeps } from '../deps.ts'
import { consumeDrafts } from '../draft-access.ts'
import { keyMoves } from '../key-moves.ts'
import { changedReferences } from '../org-graph.ts'
import { restoredIdentity } from '../restored-identity.ts'
import { signatureChanges, type ServiceDrift } from '../service-drift.ts'
import { setFactsAfter } from '../touched-sets.ts'
import type { AdmitResult } from './admit.ts'
import type { LoadResult, StageInput } from './load.ts'
import type { MergeResult } from './merge.ts'
import type { PlanResult } from './plan.ts'
import type { Stage } from './stage.ts'
import type { ValidateResult } from './validate.ts'

/** What the write needs in addition to what was checked. */
export interface WriteInput {
  transactor: OrgTransactor
  kind: GenerationKind
  companion: CompanionWrite | undefined
}

type Needs = WriteInput &
  Pick<StageInput, 'deps' | 'request'> &
  Pick<LoadResult, 'base' | 'loadedChanges'> &
  Pick<MergeResult, 'baseGraph' | 'candidate'> &
  Pick<ValidateResult, 'graph' | 'drifts'> &
  Pick<PlanResult, 'growth' | 'plan'> &
  AdmitResult

export interface WriteResult {
  /** The new generation; the base if nothing changed. */
  generation: number
}

export const write: Stage<'write', Needs, WriteResult> = {
  name: 'write',
  run: (context) => {
    const { deps, transactor, request, candidate, loadedChanges, base, origin, companion } = context
    const generation = candidate.changes.length === 0 ? base : writeChanges(context)
    consumeDrafts(transactor, loadedChanges.consumedDrafts)
    if (origin !== null) deps.approvalPolicy.recordApply(transactor, request, generation)
    if (companion !== undefined) writeCompanion(deps, transactor, companion)
    deps.faultHook?.('commit')
    return { generation }
  },
}

function writeChanges(context: Needs): number {
  const { deps, transactor, kind, request, base, baseGraph, candidate, graph, growth, plan, origin } = context
  const by = {
    at: deps.clock.now(),
    actor: request.actor,
    operatorName: request.operatorName,
    correlationId: request.correlationId ?? deps.ids.uuid(),
  }
  const { operatorName: operator, ...row } = by
  const generation = transactor.generations.write({
    row: {
      ...row,
      ...(operator === undefined ? {} : { operator }),
      kind,
      rationale: request.rationale ?? '',
      changeDigest: plan.changeDigest,
      counts: plan.counts,
      sliceBytes: plan.budget.used + plan.budget.added,
      ...(origin === null ? {} : { request: origin }),
    },
    versions: versionsOf(candidate.changes, plan.changes, deps, {
      identityOf: (id) => restoredIdentity(transactor, context.loadedChanges, id),
      confirmed: context.loadedChanges.confirmed,
    }),
    references: changedReferences(baseGraph, graph),
    restoresFrom: context.loadedChanges.restoresFrom,
  })
  for (const { id, before, after, operations } of context.drifts) {
    if (operations.length === 0) continue
    recordAudit(transactor, { ...by, correlationId: by.correlationId }, by.at, {
      ...{ component: id, kind: 'service.drift', rationale: request.rationale ?? '' },
      before: { hash: before, operations: signaturesOf(operations, 'before') },
      after: {
        ...{ hash: after, operations: signaturesOf(operations, 'after') },
        changes: signatureChanges(operations),
      },
    })
  }
  const facts = setFactsAfter(transactor, { base, generation }, candidate.view, growth, deps.sha256)
  transactor.sets.putSummaries(generation, facts)
  const moves = keyMoves(candidate.changes)
  for (const follow of deps.followers) follow(transactor, { ...by, moves, generation })
  return generation
}

/** Of the operations that changed, by name, in words. */
function signaturesOf(
  operations: ServiceDrift['operations'],
  side: 'before' | 'after',
): Record<string, string | null> {
  return Object.fromEntries(
    operations.map((each) => [each.name, (each as { before?: string; after?: string })[side] ?? null]),
  )
}

interface VersionFacts {
  /** The identity that an added component had before. */
  identityOf: (id: ComponentId) => ComponentIdentity | undefined
  /** Removed components whose losses are confirmed. */
  confirmed: ReadonlySet<ComponentId>
}

function* versionsOf(
  changes: readonly Change[],
  planned: readonly PlannedChange[],
  { faultHook }: PipelineDeps,
  { identityOf, confirmed }: VersionFacts,
): Iterable<VersionWrite> {
  const half = changes.length >> 1
  for (const [index, change] of changes.entries()) {
    if (index === half) faultHook?.('write_versions')
    yield {
      kind: change.kind,
      id: change.id,
      renamedFrom: change.kind === 'renamed' ? change.from : null,
      identity: change.kind === 'added' ? identityOf(change.id) : undefined,
      component: afterOf(change),
      digest: planned[index]!.digest,
      hints: change.kind === 'removed' ? removalHints(confirmed.has(change.id)) : change.hints,
    }
  }
  faultHook?.('write_facts')
}

const removalHints = (isConfirmed: boolean): ApplyHints => (isConfirmed ? { breaking: true } : {})
