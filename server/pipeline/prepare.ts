// Prepares a request before the write: candidate, findings, plan, denials (docs/reference/pipeline-and-approvals.md).
import {
  buildCandidate,
  componentDigest,
  normaliseComponent,
  buildPlan,
  saltedDigest,
  type Budget,
  type Candidate,
  type CandidateComponent,
  type CandidateOptions,
  type Change,
  type Closure,
  type Digest,
  type HiddenPart,
  type Plan,
  type Sha256,
} from '#kernel/change/index.ts'
import { roomOf } from '#kernel/components/registry.ts'
import { validateCandidate } from '#kernel/change/validate.ts'
import { parseCivilDate } from '#kernel/dates/civil-date.ts'
import type { ReferenceGraph } from '#kernel/graph/index.ts'
import type { ComponentView } from '#kernel/components/view.ts'
import { idOf, splitId, type ComponentId } from '#kernel/components/component.ts'
import { AlmanacError } from '#kernel/errors/almanac-error.ts'
import type { Finding } from '#kernel/errors/finding.ts'
import type { Viewer, Denial } from '../access/index.ts'
import type { OrgReader } from '../ports/org-store.ts'
import { absentSecretFindings } from './absent-secret-findings.ts'
import { writtenIdsOf, loadChanges, type LoadedChanges } from './change-source.ts'
import { requireSettledConflicts, mergeOverActive } from './conflict.ts'
import { draftFindings } from './draft-findings.ts'
import { formerRationales } from './flag-rationales.ts'
import { keyMoves } from './key-moves.ts'
import type { PipelineCache } from './pipeline-cache.ts'
import type { PipelineDeps } from './deps.ts'
import { partitionByVisibility, type VisibilityPartition } from './visibility-partition.ts'
import { locateFindings } from './locate-findings.ts'
import type { ApplyRequest } from './request.ts'
import { requestViewer } from './request-viewer.ts'
import { isRestoredHidden, restoredIdentity } from './restored-identity.ts'
import { rollbackCandidate } from './rollback-renames.ts'
import { expandSource, selectionOf } from './selection.ts'
import { findingsForViewer, type ValidatedChangeList } from './viewer-findings.ts'
import type { Stage } from './stages.ts'
import {
  changesForAuthor,
  hiddenOf,
  noWrittenIds,
  redactDenials,
  redactFindings,
  redactFindingsForAuthor,
  isUnknownTo,
  hideConsequencesOfRefusal,
  type Audience,
} from './change-redaction.ts'
import { sliceGrowth, touchedSets } from './touched-sets.ts'
import { unseenRemoval, validateUnseenChanges, type UnseenChanges } from './unseen-changes.ts'

export interface PreparedChanges {
  request: ApplyRequest
  loadedChanges: LoadedChanges
  /** The active generation, on which the candidate is based. */
  base: number
  baseView: ComponentView
  baseGraph: ReferenceGraph
  candidate: Candidate
  graph: ReferenceGraph
  growth: ReadonlyMap<string, number>
  plan: Plan
  /**
   * The digest that is reported: for a change request the salted one, because an approver may be unable to see all of
   * its changes.
   */
  changeDigest: Digest
  denials: Denial[]
  /** Null if the author sees everything. */
  viewer: Viewer | null
  audience: Audience
  /** Whether nothing of the changes is hidden from the author. */
  canSeeAll: boolean
  /** What the author named; empty if they see everything. */
  writtenIds: ReadonlySet<string>
  /** The generation that the author saw. */
  authorBase: number
  /** Findings and denials as shown to the listener. */
  assessment: { findings: readonly Finding[]; denials: readonly Denial[] }
  /** What depends on sets that the author does not see; it is never written. Null if nothing does. */
  unseenChanges: UnseenChanges | null
  /** What is restored and was hidden from a listener who did not write the list. */
  hiddenRestores: ReadonlySet<ComponentId>
  /** What picked drafts take along; null if not requested. */
  closure: Closure | null
}

/** From this number on, the digests of the base are read at once and not one by one. */
const MANY_CHANGES = 2000

/** From this number on, the whole base may have fewer digests; below, counting it would cost more than it saves. */
const WHOLE_BASE_THRESHOLD = 20_000

export interface PrepareOptions {
  /** Skips access checks. */
  trusted?: boolean
}

/** @throws AlmanacError of the source, conflict.stale_generation, generation.not_found, user.not_found. */
export function prepareChanges(
  deps: PipelineDeps,
  reader: OrgReader,
  { graphs, candidates }: PipelineCache,
  request: ApplyRequest,
  options: PrepareOptions = {},
): PreparedChanges {
  const enter = (stage: Stage): void => deps.faultHook?.(stage)
  enter('read')
  requireLineage(reader, request)
  const base = reader.generations.active()
  requirePlanBase(request, base)
  const baseView = reader.generations.view(base)
  const viewer =
    options.trusted === true || request.isOperator === true ? null : deps.access.viewer(reader, request.actor)
  const listener = audienceOf(deps, reader, request, viewer)
  const today = parseCivilDate(deps.clock.today())!
  const closure = selectionOf(reader, request, {
    ...{ base, baseView, viewer: viewer, today, sha256: deps.sha256 },
    baseGraph: () => graphs.at(reader, base),
  })
  const source = expandSource(request.source, closure)
  const { actor: user, rationale } = request
  const given = loadChanges(reader, source, { user, viewer: viewer, rationale })
  const seenBase = request.base ?? given.base ?? base
  requireBase(reader, seenBase, base)
  const parted = partitionChanges(deps, reader, {
    request,
    loadedChanges: given,
    viewer: viewer,
    base,
    baseView,
  })

  enter('candidate')
  requireSettledConflicts(request.source, given.conflicts)
  const merged = mergeOverActive(reader, parted.visibleChanges, seenBase, base, deps.sha256, listener)
  const baseGraph = graphs.at(reader, base)
  const digests = baseDigests(reader, { base, baseView, given: merged.components })!
  const build = (): Candidate =>
    buildCandidate(baseView, merged, {
      baseDigests: digests,
      sha256: deps.sha256,
      graph: baseGraph,
    })
  const built = source.kind === 'drafts' ? candidates.getOrBuild(base, merged, build) : build()
  const candidate =
    given.rollbackTo === null
      ? built
      : rollbackCandidate(
          built,
          reader.identities.keyMovesBetween(given.rollbackTo, base),
          baseView,
          baseGraph,
        )

  enter('validate')
  const context = {
    today,
    principals: deps.access.principals(reader),
    rationale: request.rationale ?? '',
    formerRationales: formerRationales(reader, base, candidate.changes),
  }
  const { findings: judged, graph } =
    request.skipsValidation === true
      ? { findings: [], graph: baseGraph }
      : validateCandidate(candidate, base === 0 ? null : baseView, {
          ...context,
          invalidComponents: invalidComponentsFor(given, viewer),
          graph: baseGraph,
        })
  const { components, removals, removedValues } = parted.unseenComponents
  const unseen =
    viewer === null || components.length + removals.length + removedValues.length === 0
      ? null
      : validateUnseenChanges(parted.unseenComponents, viewer, candidate.view, { ...context, graph })

  const { changes, view } = candidate
  const wrote: ReadonlySet<string> = viewer === null ? new Set() : writtenIdsOf(given)
  const renamedBase = base === 0 ? null : candidate.renamedBase
  const list: ValidatedChangeList = { changes, graph, context: { ...context, view, base: renamedBase } }
  const findings = findingsForViewer(judged, viewer, list, wrote)

  enter('plan')
  const growth =
    request.skipsValidation === true
      ? new Map<string, number>()
      : sliceGrowth(touchedSets(changes), baseView, view)
  const lockout =
    request.skipsValidation === true || options.trusted === true
      ? []
      : deps.access.lockoutFindings(reader, changes, keyMoves(changes), base === 0 ? null : baseView, view)
  const secrets = absentSecretFindings(changes, view, deps.secretState ?? (() => 'absent'))
  const authorised =
    options.trusted === true ? [] : deps.access.authorise(reader, request.actor, changes, baseView, view)
  const unseenLacks =
    options.trusted === true || unseen === null ? [] : unseenDenials(deps, reader, request, unseen, removals)
  const raised = hideConsequencesOfRefusal(
    { findings: [...findings, ...secrets, ...lockout], denials: authorised },
    viewer,
    wrote,
    unseenLacks.length > 0,
  )
  const planned = unseen === null ? changes : [...changes, ...unseen.changes]
  const hidden = viewer === null ? undefined : hiddenFrom(planned, viewer, wrote)
  const plan = buildPlan(
    {
      lineage: reader.properties.get().lineage,
      base,
      changes: planned,
      findings: [
        ...given.findings,
        ...draftFindings(reader, request.actor, {
          includedDrafts: given.drafts,
          skippedDrafts: given.skippedDrafts,
          changes,
        }),
        ...locateFindings(
          [...redactFindingsForAuthor(raised.findings, viewer, wrote), ...(unseen?.findings ?? [])],
          given.textOf,
        ),
      ],
      budget: budgetOf(reader, base, growth),
      baseDigest: (id) => digests.get(id),
      ...(hidden === undefined ? {} : { hidden }),
    },
    deps.sha256,
  )

  enter('authorise')
  const denials = [...redactDenials(raised.denials, viewer, wrote), ...unseenLacks]
  return {
    ...{
      request,
      loadedChanges: given,
      base,
      baseView,
      baseGraph,
      candidate,
      graph,
      growth,
      plan,
      denials,
      viewer: viewer,
      unseenChanges: unseen,
    },
    changeDigest: reportedDigestOf(reader, request, plan, deps.sha256),
    hiddenRestores: restoredHiddenOf(reader, given, changes, listener),
    ...{
      closure,
      audience: listener,
      authorBase: seenBase,
      writtenIds: wrote,
      canSeeAll: hidden === undefined || planned.every((change) => hidden(change) === undefined),
      assessment: assessmentFor(listener, request.actor, { list, findings: plan.findings, denials }),
    },
  }
}

function reportedDigestOf(
  reader: OrgReader,
  { source }: ApplyRequest,
  { changeDigest }: Plan,
  sha256: Sha256,
): Digest {
  const row = source.kind === 'request' ? reader.requests.get(source.id) : undefined
  return row === undefined ? changeDigest : saltedDigest(changeDigest, row.salt, sha256)
}

/** What the author was not shown of a change, and so did not review. */
function hiddenFrom(
  changes: readonly Change[],
  viewer: Viewer,
  wrote: ReadonlySet<string>,
): (change: Change) => HiddenPart | undefined {
  const listed = new Set(changesForAuthor(changes, viewer, wrote))
  return (change) => {
    if (!listed.has(change)) return 'all'
    return hiddenOf(change, viewer, true) === undefined ? undefined : 'before'
  }
}

function audienceOf(
  { access }: PipelineDeps,
  reader: OrgReader,
  { viewerKey, actor, source }: ApplyRequest,
  viewer: Viewer | null,
): Audience {
  if (viewerKey === undefined || viewerKey === actor) return { viewer: viewer, isAuthor: true }
  const own = viewerKey === null ? null : access.viewer(reader, viewerKey)
  const row = source.kind === 'request' ? reader.requests.get(source.id) : undefined
  return { viewer: row === undefined ? own : requestViewer(reader, row, own), isAuthor: false }
}

function assessmentFor(
  { viewer, isAuthor }: Audience,
  actor: string,
  { list, findings, denials }: PreparedChanges['assessment'] & { list: ValidatedChangeList },
): PreparedChanges['assessment'] {
  if (isAuthor) return { findings, denials }
  return {
    findings: redactFindings(findingsForViewer(findings, viewer, list, 'all'), viewer, noWrittenIds),
    denials: viewer === null ? denials : redactDenials(denials, viewer, noWrittenIds, actor),
  }
}

/** What could not be read completely, without the parts that would reveal what the author cannot see. */
function invalidComponentsFor(
  { invalidComponents, drafts }: LoadedChanges,
  viewer: Viewer | null,
): LoadedChanges['invalidComponents'] {
  if (viewer === null) return invalidComponents
  // A draft may belong to another user.
  return invalidComponents.map((each) =>
    drafts.length > 0 || isUnknownTo(viewer, each.id)
      ? { ...each, partialEntry: null, partialComponent: null }
      : each,
  )
}

/**
 * A plan of another org is not valid here, even if both have the same content. @throws AlmanacError conflict.stale_plan
 */
function requireLineage(reader: OrgReader, { lineage }: ApplyRequest): void {
  const here = reader.properties.get().lineage
  if (lineage === undefined || lineage === here) return
  throw new AlmanacError(
    'conflict.stale_plan',
    `The plan was made for the org of lineage ${lineage}; this org is ${here}. Plan here and review that plan.`,
    { details: [{ lineage, found: here }] },
  )
}

/** @throws AlmanacError conflict.stale_plan if the plan was made over a different generation */
function requirePlanBase({ planBase, changeDigest }: ApplyRequest, base: number): void {
  if (planBase === undefined || planBase === base) return
  throw new AlmanacError(
    'conflict.stale_plan',
    `The plan was made over generation ${planBase}, but generation ${base} is active now. Plan again and review that plan.`,
    { details: [{ reviewed: changeDigest ?? null, planned: planBase, base }] },
  )
}

/** @throws AlmanacError generation.not_found */
function requireBase(reader: OrgReader, base: number, active: number): void {
  if (base === active || base === 0) return
  if (base > active)
    throw new AlmanacError(
      'generation.not_found',
      `Generation ${base}, on which the change list is based, does not exist here; the newest is ${active}. Retrieve again, or name an existing base.`,
    )
  if (base < 0 || reader.generations.get(base) === undefined)
    throw new AlmanacError(
      'generation.not_found',
      `Generation ${base}, on which the change list is based, does not exist here. Retrieve again and apply over generation ${active}.`,
    )
}

type PartitionContext = Pick<PreparedChanges, 'request' | 'loadedChanges' | 'viewer' | 'base' | 'baseView'>

/** @throws AlmanacError access.denied if an older generation contains what its reader cannot see. */
function partitionChanges(
  { sha256 }: PipelineDeps,
  reader: OrgReader,
  { request, loadedChanges, viewer, base, baseView }: PartitionContext,
): VisibilityPartition {
  // What the org itself held can be omitted if it is already active; what a caller sends cannot, because that would
  // confirm a guessed hidden value.
  const parted = partitionByVisibility(loadedChanges, viewer, baseView, {
    isUnchanged: (component) =>
      loadedChanges.isRestore &&
      reader.components.digest(base, idOf(component)) ===
        componentDigest(normaliseComponent(component, baseView), sha256),
  })
  const { components, removals, removedValues } = parted.unseenComponents
  const hidden = components.length + removals.length + removedValues.length
  const { source } = request
  if (
    (source.kind === 'generation' || source.kind === 'revert') &&
    (hidden > 0 || holdsHidden(reader, loadedChanges, viewer))
  )
    throw new AlmanacError(
      'access.denied',
      `${request.actor} cannot see all of what ${source.kind === 'revert' ? 'the revert of ' : ''}generation ${source.generation} would change. Ask a user with a read grant on those sets.`,
    )
  return parted
}

function restoredHiddenOf(
  reader: OrgReader,
  given: LoadedChanges,
  changes: readonly Change[],
  { viewer, isAuthor }: Audience,
): Set<ComponentId> {
  if (isAuthor || viewer === null || (given.rollbackTo === null && given.restoredIdentities.size === 0))
    return new Set()
  const hidden = changes.filter(({ id, kind }) => {
    const identity = kind === 'added' ? restoredIdentity(reader, given, id) : undefined
    return identity !== undefined && isRestoredHidden(reader, identity, viewer)
  })
  return new Set(hidden.map(({ id }) => id))
}

/** Whether the older content of a rollback is hidden as what it was, regardless of what has its keys today. */
function holdsHidden(
  reader: OrgReader,
  { components, rollbackTo }: LoadedChanges,
  viewer: Viewer | null,
): boolean {
  if (viewer === null || rollbackTo === null) return false
  const { visibility } = viewer.at(reader, rollbackTo)
  return components.some(({ component }) => !visibility.canSeeComponent(component))
}

/** Refuses changes that depend on hidden sets in any case, in the same way for existing and missing sets. */
function unseenDenials(
  deps: PipelineDeps,
  reader: OrgReader,
  { actor }: ApplyRequest,
  { changes, base, view }: UnseenChanges,
  removals: readonly ComponentId[],
): Denial[] {
  const all = [...changes, ...removals.map(unseenRemoval)]
  const denials = deps.access.authorise(reader, actor, all, base, view)
  const lacksRight = (id: ComponentId): boolean =>
    denials.some((denial) => denial.id === id && denial.permission === roomOf(splitId(id).type).author)
  const taken = changes.flatMap(({ id, kind }): Denial[] => {
    const { type, key } = splitId(id)
    // Only a user who could add it is shown that the key is taken: for everyone else, a set is refused in the same way
    // whether it exists or not.
    if (type === 'config_entry' || kind === 'removed' || lacksRight(id)) return []
    const message = `${actor} has no edit grant on ${key}. Choose a different key, or ask a user with access.manage.`
    return [{ id, permission: `edit:${key}`, message }]
  })
  return [...taken, ...denials]
}

function baseDigests(
  reader: OrgReader,
  { base, baseView, given }: { base: number; baseView: ComponentView; given: readonly CandidateComponent[] },
): CandidateOptions['baseDigests'] {
  if (given.length <= MANY_CHANGES)
    return { get: (id) => reader.components.digest(base, id) } as NonNullable<CandidateOptions['baseDigests']>
  if (given.length > WHOLE_BASE_THRESHOLD && given.length > baseView.count('config_entry') / 2)
    return reader.components.digests(base)
  const ids = given.map(({ component }) => idOf(component))
  return reader.components.digestsOf(base, ids)
}

function budgetOf(reader: OrgReader, base: number, growth: ReadonlyMap<string, number>): Budget {
  const used = reader.generations.get(base)?.sliceBytes ?? 0
  const limit = reader.properties.get().sliceBudget
  let added = 0
  for (const bytes of growth.values()) added += bytes
  return { used, added, limit, left: limit - used - added }
}
