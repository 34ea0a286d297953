// One apply is one transaction and one generation; if nothing changed, no generation is made
// (docs/reference/pipeline-and-approvals.md).
import { afterOf, type Change, type PlannedChange } from '#kernel/change/index.ts'
import type { ComponentId } from '#kernel/components/component.ts'
import { AlmanacError, errorWithFindings } from '#kernel/errors/almanac-error.ts'
import type { ErrorCode } from '#kernel/errors/catalogue.ts'
import { hasErrors, type Finding } from '#kernel/errors/finding.ts'
import { accessDenied } from '../access/index.ts'
import type { ComponentIdentity } from '../ports/identities.ts'
import type { OrgReader, OrgTransactor } from '../ports/org-store.ts'
import type { GenerationKind, GenerationRequest } from '#kernel/wire/index.ts'
import type { VersionWrite } from '../ports/generations.ts'
import { consumeDrafts } from './draft-access.ts'
import { keyMoves } from './key-moves.ts'
import type { PipelineCache } from './pipeline-cache.ts'
import { changedReferences } from './org-graph.ts'
import type { PipelineDeps } from './deps.ts'
import { outcomeOf } from './outcome.ts'
import { prepareChanges, type PreparedChanges } from './prepare.ts'
import type { TransactionHook, ApplyOutcome, ApplyRequest } from './request.ts'
import { restoredIdentity } from './restored-identity.ts'
import { setFactsAfter } from './touched-sets.ts'

export interface ApplyOptions {
  kind: GenerationKind
  /** Skips access checks: for the first generation, when no user has rights yet. */
  trusted?: boolean
  transactionHook?: TransactionHook
}

/**
 * @throws AlmanacError conflict.stale_plan, conflict.stale_generation, access.denied, deploy.* with the findings,
 *   org.busy, and those of the source.
 */
export function apply(
  deps: PipelineDeps,
  memory: PipelineCache,
  request: ApplyRequest,
  options: ApplyOptions,
): ApplyOutcome {
  const started = performance.now()
  const { prepared, generation } =
    applyOptimistically(deps, memory, request, options) ?? applyLocked(deps, memory, request, options)
  deps.faultHook?.('flip')
  const unchanged = prepared.candidate.changes.length === 0
  if (!unchanged) {
    const view = deps.store.read((reader) => reader.generations.view(generation))
    memory.graphs.put(generation, { ...prepared.graph, view })
  }
  return { ...outcomeOf(prepared, Math.round(performance.now() - started)), generation, unchanged }
}

interface WrittenGeneration {
  prepared: PreparedChanges
  generation: number
}

/** Judges without blocking other writers. Null if another apply was faster. */
function applyOptimistically(
  deps: PipelineDeps,
  memory: PipelineCache,
  request: ApplyRequest,
  options: ApplyOptions,
): WrittenGeneration | null {
  const prepared = deps.store.read((reader) => {
    const judged = prepareChanges(deps, reader, memory, request, options)
    // Errors of older content are reported before approvals are requested, because no approver could fix them.
    if (judged.loadedChanges.isRestore) requireApplicable(judged)
    admit(deps, reader, judged, options)
    return judged
  })
  requireApplicable(prepared)
  const { candidate, loadedChanges, base } = prepared
  if (
    candidate.changes.length === 0 &&
    loadedChanges.consumedDrafts.length === 0 &&
    options.transactionHook === undefined
  )
    return { prepared, generation: base }
  const generation = deps.store.write((transactor) =>
    transactor.generations.active() === base ? write(deps, transactor, prepared, options) : null,
  )
  return generation === null ? null : { prepared, generation }
}

/** Takes the lock before it judges, so that an apply that was overtaken once cannot be overtaken forever. */
function applyLocked(
  deps: PipelineDeps,
  memory: PipelineCache,
  request: ApplyRequest,
  options: ApplyOptions,
): WrittenGeneration {
  return deps.store.write((transactor) => {
    const prepared = prepareChanges(deps, transactor, memory, request, options)
    requireApplicable(prepared)
    return { prepared, generation: write(deps, transactor, prepared, options) }
  })
}

/** An apply that changes nothing is not an apply, regardless of its source. */
function admit(
  { approvalPolicy }: PipelineDeps,
  reader: OrgReader,
  { request, plan }: PreparedChanges,
  { trusted }: ApplyOptions,
): GenerationRequest | null {
  const nothing = plan.changes.length === 0 && request.source.kind !== 'request'
  return trusted === true || nothing ? null : approvalPolicy.admit(reader, request)
}

/** @throws AlmanacError access.denied, conflict.stale_plan, deploy.* */
export function requireApplicable(prepared: PreparedChanges): void {
  const { findings, denials } = prepared.assessment
  // A lost right hides parts of the list, and is the cause that the caller can act on.
  if (denials.length > 0) throw accessDenied(denials)
  requireReviewedDigest(prepared)
  if (hasErrors(findings)) throw deployError(findings)
}

/** Refuses a change list that is not the reviewed one. @throws AlmanacError conflict.stale_plan */
export function requireReviewedDigest({ request, plan, changeDigest }: PreparedChanges): void {
  if (request.changeDigest !== undefined && request.changeDigest !== changeDigest)
    throw new AlmanacError(
      'conflict.stale_plan',
      `The change list is no longer the one that was reviewed: it would change ${formatComponentCount(plan.changes.length)} over generation ${plan.base}. Review it again.`,
      { details: [{ reviewed: request.changeDigest, found: changeDigest, base: plan.base }] },
    )
}

/** Causes with an error code of their own, used if no other cause is present. */
const ownCodes: readonly ErrorCode[] = [
  'deploy.still_referenced',
  'deploy.slice_budget',
  'deploy.secret_absent',
]

/** Why nothing was applied; `findings` contains at least one error. */
export function deployError(findings: readonly Finding[], outcome = 'Nothing was applied.'): AlmanacError {
  const errors = findings.filter(({ severity }) => severity === 'error')
  const own = ownCodes.find((code) => errors.every((error) => error.code === code))
  const [first] = errors
  const more = errors.length > 1 ? ` And ${errors.length - 1} more.` : ''
  return errorWithFindings(own ?? 'deploy.invalid', `${outcome} ${first!.message}${more}`, findings)
}

function write(
  deps: PipelineDeps,
  transactor: OrgTransactor,
  prepared: PreparedChanges,
  options: ApplyOptions,
): number {
  const { candidate, loadedChanges, base } = prepared
  deps.faultHook?.('begin')
  const origin = admit(deps, transactor, prepared, options)
  const written =
    candidate.changes.length === 0 ? base : writeChanges(deps, transactor, prepared, options, origin)
  consumeDrafts(transactor, loadedChanges.consumedDrafts)
  if (origin !== null) deps.approvalPolicy.recordApply(transactor, prepared.request, written)
  options.transactionHook?.(transactor)
  deps.faultHook?.('commit')
  return written
}

function writeChanges(
  deps: PipelineDeps,
  transactor: OrgTransactor,
  prepared: PreparedChanges,
  { kind }: ApplyOptions,
  origin: GenerationRequest | null,
): number {
  const { request, base, baseGraph, candidate, graph, growth, plan } = prepared
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
    versions: versionsOf(candidate.changes, plan.changes, deps, (id) =>
      restoredIdentity(transactor, prepared.loadedChanges, id),
    ),
    references: changedReferences(baseGraph, graph),
  })
  const facts = setFactsAfter(transactor, { base, generation }, candidate.view, growth, deps.sha256)
  transactor.sets.putSummaries(generation, facts)
  const moves = keyMoves(candidate.changes)
  if (moves.length > 0) for (const follow of deps.followers) follow(transactor, { ...by, moves, generation })
  return generation
}

function* versionsOf(
  changes: readonly Change[],
  planned: readonly PlannedChange[],
  { faultHook }: PipelineDeps,
  formerIdentity: (id: ComponentId) => ComponentIdentity | undefined,
): Iterable<VersionWrite> {
  const half = changes.length >> 1
  for (const [index, change] of changes.entries()) {
    if (index === half) faultHook?.('write_versions')
    yield {
      kind: change.kind,
      id: change.id,
      renamedFrom: change.kind === 'renamed' ? change.from : null,
      identity: change.kind === 'added' ? formerIdentity(change.id) : undefined,
      component: afterOf(change),
      digest: planned[index]!.digest,
      hints: change.kind === 'removed' ? {} : change.hints,
    }
  }
  faultHook?.('write_facts')
}

function formatComponentCount(changes: number): string {
  return changes === 1 ? 'one component' : `${changes} components`
}
