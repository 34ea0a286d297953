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
  given: LoadedChanges
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
  sight: Viewer | null
  listener: Audience
  /** Whether nothing of the changes is hidden from the author. */
  seesAll: boolean
  /** What the author named; empty if they see everything. */
  wrote: ReadonlySet<string>
  /** The generation that the author saw. */
  seenBase: number
  /** Findings and denials as shown to the listener. */
  said: { findings: readonly Finding[]; denials: readonly Denial[] }
  /** What depends on sets that the author does not see; it is never written. Null if nothing does. */
  unseen: UnseenChanges | null
  /** What is restored and was hidden from a listener who did not write the list. */
  restoredHidden: ReadonlySet<ComponentId>
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
  parts: PipelineDeps,
  reader: OrgReader,
  { graphs, candidates }: PipelineCache,
  request: ApplyRequest,
  options: PrepareOptions = {},
): PreparedChanges {
  const enter = (stage: Stage): void => parts.faults?.(stage)
  enter('read')
  requireLineage(reader, request)
  const base = reader.activeGeneration()
  requirePlanBase(request, base)
  const baseView = reader.view(base)
  const sight =
    options.trusted === true || request.operator === true ? null : parts.access.sight(reader, request.actor)
  const listener = audienceOf(parts, reader, request, sight)
  const today = parseCivilDate(parts.clock.today())!
  const closure = selectionOf(reader, request, {
    ...{ base, baseView, sight, today, sha256: parts.sha256 },
    baseGraph: () => graphs.at(reader, base),
  })
  const source = expandSource(request.source, closure)
  const { actor: user, rationale } = request
  const given = loadChanges(reader, source, { user, sight, rationale })
  const seenBase = request.base ?? given.base ?? base
  requireBase(reader, seenBase, base)
  const parted = partitionChanges(parts, reader, { request, given, sight, base, baseView })

  enter('candidate')
  requireSettledConflicts(request.source, given.conflicts)
  const merged = mergeOverActive(reader, parted.open, seenBase, base, parts.sha256, listener)
  const baseGraph = graphs.at(reader, base)
  const digests = baseDigests(reader, { base, baseView, given: merged.components })!
  const build = (): Candidate =>
    buildCandidate(baseView, merged, {
      baseDigests: digests,
      sha256: parts.sha256,
      graph: baseGraph,
    })
  const built = source.kind === 'drafts' ? candidates.over(base, merged, build) : build()
  const candidate =
    given.rollbackTo === null
      ? built
      : rollbackCandidate(built, reader.movedBetween(given.rollbackTo, base), baseView, baseGraph)

  enter('validate')
  const context = {
    today,
    principals: parts.access.principals(reader),
    rationale: request.rationale ?? '',
    formerRationales: formerRationales(reader, base, candidate.changes),
  }
  const { findings: judged, graph } =
    request.unjudged === true
      ? { findings: [], graph: baseGraph }
      : validateCandidate(candidate, base === 0 ? null : baseView, {
          ...context,
          unsound: invalidComponentsFor(given, sight),
          graph: baseGraph,
        })
  const { components, removals, removedValues } = parted.unseen
  const unseen =
    sight === null || components.length + removals.length + removedValues.length === 0
      ? null
      : validateUnseenChanges(parted.unseen, sight, candidate.view, { ...context, graph })

  const { changes, view } = candidate
  const wrote: ReadonlySet<string> = sight === null ? new Set() : writtenIdsOf(given)
  const renamedBase = base === 0 ? null : candidate.renamedBase
  const list: ValidatedChangeList = { changes, graph, context: { ...context, view, base: renamedBase } }
  const findings = findingsForViewer(judged, sight, list, wrote)

  enter('plan')
  const growth =
    request.unjudged === true ? new Map<string, number>() : sliceGrowth(touchedSets(changes), baseView, view)
  const lockout =
    request.unjudged === true || options.trusted === true
      ? []
      : parts.access.lockout(reader, changes, keyMoves(changes), base === 0 ? null : baseView, view)
  const secrets = absentSecretFindings(changes, view, parts.secrets ?? (() => 'absent'))
  const authorised =
    options.trusted === true ? [] : parts.access.authorise(reader, request.actor, changes, baseView, view)
  const unseenLacks =
    options.trusted === true || unseen === null ? [] : unseenDenials(parts, reader, request, unseen, removals)
  const raised = hideConsequencesOfRefusal(
    { findings: [...findings, ...secrets, ...lockout], denials: authorised },
    sight,
    wrote,
    unseenLacks.length > 0,
  )
  const planned = unseen === null ? changes : [...changes, ...unseen.changes]
  const hidden = sight === null ? undefined : hiddenFrom(planned, sight, wrote)
  const plan = buildPlan(
    {
      lineage: reader.facts().lineage,
      base,
      changes: planned,
      findings: [
        ...given.findings,
        ...draftFindings(reader, request.actor, {
          taken: given.drafts,
          left: given.left,
          changes,
        }),
        ...locateFindings(
          [...redactFindingsForAuthor(raised.findings, sight, wrote), ...(unseen?.findings ?? [])],
          given.textOf,
        ),
      ],
      budget: budgetOf(reader, base, growth),
      baseDigest: (id) => digests.get(id),
      ...(hidden === undefined ? {} : { hidden }),
    },
    parts.sha256,
  )

  enter('authorise')
  const denials = [...redactDenials(raised.denials, sight, wrote), ...unseenLacks]
  return {
    ...{ request, given, base, baseView, baseGraph, candidate, graph, growth, plan, denials, sight, unseen },
    changeDigest: reportedDigestOf(reader, request, plan, parts.sha256),
    restoredHidden: restoredHiddenOf(reader, given, changes, listener),
    ...{
      closure,
      listener,
      seenBase,
      wrote,
      seesAll: hidden === undefined || planned.every((change) => hidden(change) === undefined),
      said: assessmentFor(listener, request.actor, { list, findings: plan.findings, denials }),
    },
  }
}

function reportedDigestOf(
  reader: OrgReader,
  { source }: ApplyRequest,
  { changeDigest }: Plan,
  sha256: Sha256,
): Digest {
  const row = source.kind === 'request' ? reader.changeRequest(source.id) : undefined
  return row === undefined ? changeDigest : saltedDigest(changeDigest, row.salt, sha256)
}

/** What the author was not shown of a change, and so did not review. */
function hiddenFrom(
  changes: readonly Change[],
  sight: Viewer,
  wrote: ReadonlySet<string>,
): (change: Change) => HiddenPart | undefined {
  const listed = new Set(changesForAuthor(changes, sight, wrote))
  return (change) => {
    if (!listed.has(change)) return 'all'
    return hiddenOf(change, sight, true) === undefined ? undefined : 'before'
  }
}

function audienceOf(
  { access }: PipelineDeps,
  reader: OrgReader,
  { shownTo, actor, source }: ApplyRequest,
  sight: Viewer | null,
): Audience {
  if (shownTo === undefined || shownTo === actor) return { sight, author: true }
  const own = shownTo === null ? null : access.sight(reader, shownTo)
  const row = source.kind === 'request' ? reader.changeRequest(source.id) : undefined
  return { sight: row === undefined ? own : requestViewer(reader, row, own), author: false }
}

function assessmentFor(
  { sight, author }: Audience,
  actor: string,
  { list, findings, denials }: PreparedChanges['said'] & { list: ValidatedChangeList },
): PreparedChanges['said'] {
  if (author) return { findings, denials }
  return {
    findings: redactFindings(findingsForViewer(findings, sight, list, 'all'), sight, noWrittenIds),
    denials: sight === null ? denials : redactDenials(denials, sight, noWrittenIds, actor),
  }
}

/** What could not be read completely, without the parts that would reveal what the author cannot see. */
function invalidComponentsFor(
  { unsound, drafts }: LoadedChanges,
  sight: Viewer | null,
): LoadedChanges['unsound'] {
  if (sight === null) return unsound
  // A draft may belong to another user.
  return unsound.map((each) =>
    drafts.length > 0 || isUnknownTo(sight, each.id) ? { ...each, part: null, rest: null } : each,
  )
}

/**
 * A plan of another org is not valid here, even if both have the same content. @throws AlmanacError conflict.stale_plan
 */
function requireLineage(reader: OrgReader, { lineage }: ApplyRequest): void {
  const here = reader.facts().lineage
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
  if (base < 0 || reader.generation(base) === undefined)
    throw new AlmanacError(
      'generation.not_found',
      `Generation ${base}, on which the change list is based, does not exist here. Retrieve again and apply over generation ${active}.`,
    )
}

type PartitionContext = Pick<PreparedChanges, 'request' | 'given' | 'sight' | 'base' | 'baseView'>

/** @throws AlmanacError access.denied if an older generation contains what its reader cannot see. */
function partitionChanges(
  { sha256 }: PipelineDeps,
  reader: OrgReader,
  { request, given, sight, base, baseView }: PartitionContext,
): VisibilityPartition {
  // What the org itself held can be omitted if it is already active; what a caller sends cannot, because that would
  // confirm a guessed hidden value.
  const parted = partitionByVisibility(given, sight, baseView, {
    unchanged: (component) =>
      given.restores &&
      reader.digestOf(base, idOf(component)) ===
        componentDigest(normaliseComponent(component, baseView), sha256),
  })
  const { components, removals, removedValues } = parted.unseen
  const hidden = components.length + removals.length + removedValues.length
  const { source } = request
  if (
    (source.kind === 'generation' || source.kind === 'revert') &&
    (hidden > 0 || holdsHidden(reader, given, sight))
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
  { sight, author }: Audience,
): Set<ComponentId> {
  if (author || sight === null || (given.rollbackTo === null && given.restored.size === 0)) return new Set()
  const hidden = changes.filter(({ id, kind }) => {
    const identity = kind === 'added' ? restoredIdentity(reader, given, id) : undefined
    return identity !== undefined && isRestoredHidden(reader, identity, sight)
  })
  return new Set(hidden.map(({ id }) => id))
}

/** Whether the older content of a rollback is hidden as what it was, regardless of what has its keys today. */
function holdsHidden(
  reader: OrgReader,
  { components, rollbackTo }: LoadedChanges,
  sight: Viewer | null,
): boolean {
  if (sight === null || rollbackTo === null) return false
  const { visibility } = sight.at(reader, rollbackTo)
  return components.some(({ component }) => !visibility.component(component))
}

/** Refuses changes that depend on hidden sets in any case, in the same way for existing and missing sets. */
function unseenDenials(
  parts: PipelineDeps,
  reader: OrgReader,
  { actor }: ApplyRequest,
  { changes, base, view }: UnseenChanges,
  removals: readonly ComponentId[],
): Denial[] {
  const all = [...changes, ...removals.map(unseenRemoval)]
  const denials = parts.access.authorise(reader, actor, all, base, view)
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
    return { get: (id) => reader.digestOf(base, id) } as NonNullable<CandidateOptions['baseDigests']>
  if (given.length > WHOLE_BASE_THRESHOLD && given.length > baseView.count('config_entry') / 2)
    return reader.digests(base)
  const ids = given.map(({ component }) => idOf(component))
  return reader.digestsOf(base, ids)
}

function budgetOf(reader: OrgReader, base: number, growth: ReadonlyMap<string, number>): Budget {
  const used = reader.generation(base)?.sliceBytes ?? 0
  const limit = reader.facts().sliceBudget
  let added = 0
  for (const bytes of growth.values()) added += bytes
  return { used, added, limit, left: limit - used - added }
}
