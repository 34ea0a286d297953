// Prepares a request before the write: candidate, findings, plan, denials (completions 4).
import {
  buildCandidate,
  componentDigest,
  normalised,
  planOf,
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
import type { ActorSight, Denial } from '../access/index.ts'
import type { OrgReader } from '../ports/org-store.ts'
import { absentSecrets } from './absent-secrets.ts'
import { givenIds, takeChanges, type GivenChanges } from './change-source.ts'
import { demandSettled, mergeOverActive } from './conflict.ts'
import { draftFindings } from './draft-findings.ts'
import { formerRationales } from './flag-rationales.ts'
import { keyMoves } from './key-moves.ts'
import type { PipelineMemory } from './memory.ts'
import type { PipelineParts } from './parts.ts'
import { partedList, type Parted } from './parted-list.ts'
import { placeFindings } from './place-findings.ts'
import type { ApplyRequest } from './request.ts'
import { requestSight } from './request-sight.ts'
import { isRestoredHidden, restoredIdentity } from './restored.ts'
import { rollbackCandidate } from './rollback-renames.ts'
import { closedSource, selectionOf } from './selection.ts'
import { findingsOverShown, type JudgedList } from './shown-findings.ts'
import type { Stage } from './stages.ts'
import {
  changesListedFor,
  hiddenOf,
  nobodyWrote,
  toldDenials,
  toldFindings,
  toldToAuthor,
  unknownTo,
  withoutHiddenIfRefused,
  type Listener,
} from './told.ts'
import { sliceGrowth, touchedSets } from './touched-sets.ts'
import { removedUnseen, unseenChanges, type UnseenChanges } from './unseen-changes.ts'

export interface Prepared {
  request: ApplyRequest
  given: GivenChanges
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
  sight: ActorSight | null
  listener: Listener
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
const MANY = 2000

/** From this number on, the whole base may have fewer digests; below, counting it would cost more than it saves. */
const VERY_MANY = 20_000

export interface PrepareOptions {
  /** Skips access checks. */
  trusted?: boolean
}

/** @throws AlmanacError of the source, conflict.stale_generation, generation.not_found, user.not_found. */
export function prepare(
  parts: PipelineParts,
  reader: OrgReader,
  { graphs, candidates }: PipelineMemory,
  request: ApplyRequest,
  options: PrepareOptions = {},
): Prepared {
  const enter = (stage: Stage): void => parts.faults?.(stage)
  enter('read')
  demandLineage(reader, request)
  const base = reader.activeGeneration()
  demandPlanBase(request, base)
  const baseView = reader.view(base)
  const sight =
    options.trusted === true || request.operator === true ? null : parts.access.sight(reader, request.actor)
  const listener = listenerOf(parts, reader, request, sight)
  const today = parseCivilDate(parts.clock.today())!
  const closure = selectionOf(reader, request, {
    ...{ base, baseView, sight, today, sha256: parts.sha256 },
    baseGraph: () => graphs.at(reader, base),
  })
  const source = closedSource(request.source, closure)
  const { actor: user, rationale } = request
  const given = takeChanges(reader, source, { user, sight, rationale })
  const seenBase = request.base ?? given.base ?? base
  demandBase(reader, seenBase, base)
  const parted = partedOf(parts, reader, { request, given, sight, base, baseView })

  enter('candidate')
  demandSettled(request.source, given.conflicts)
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
          unsound: unsoundFor(given, sight),
          graph: baseGraph,
        })
  const { components, removals, removedValues } = parted.unseen
  const unseen =
    sight === null || components.length + removals.length + removedValues.length === 0
      ? null
      : unseenChanges(parted.unseen, sight, candidate.view, { ...context, graph })

  const { changes, view } = candidate
  const wrote: ReadonlySet<string> = sight === null ? new Set() : givenIds(given)
  const renamedBase = base === 0 ? null : candidate.renamedBase
  const list: JudgedList = { changes, graph, context: { ...context, view, base: renamedBase } }
  const findings = findingsOverShown(judged, sight, list, wrote)

  enter('plan')
  const growth =
    request.unjudged === true ? new Map<string, number>() : sliceGrowth(touchedSets(changes), baseView, view)
  const lockout =
    request.unjudged === true || options.trusted === true
      ? []
      : parts.access.lockout(reader, changes, keyMoves(changes), base === 0 ? null : baseView, view)
  const secrets = absentSecrets(changes, view, parts.secrets ?? (() => 'absent'))
  const authorised =
    options.trusted === true ? [] : parts.access.authorise(reader, request.actor, changes, baseView, view)
  const unseenLacks =
    options.trusted === true || unseen === null ? [] : unseenDenials(parts, reader, request, unseen, removals)
  const raised = withoutHiddenIfRefused(
    { findings: [...findings, ...secrets, ...lockout], denials: authorised },
    sight,
    wrote,
    unseenLacks.length > 0,
  )
  const planned = unseen === null ? changes : [...changes, ...unseen.changes]
  const hidden = sight === null ? undefined : hiddenFrom(planned, sight, wrote)
  const plan = planOf(
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
        ...placeFindings(
          [...toldToAuthor(raised.findings, sight, wrote), ...(unseen?.findings ?? [])],
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
  const denials = [...toldDenials(raised.denials, sight, wrote), ...unseenLacks]
  return {
    ...{ request, given, base, baseView, baseGraph, candidate, graph, growth, plan, denials, sight, unseen },
    changeDigest: toldDigest(reader, request, plan, parts.sha256),
    restoredHidden: restoredHiddenOf(reader, given, changes, listener),
    ...{
      closure,
      listener,
      seenBase,
      wrote,
      seesAll: hidden === undefined || planned.every((change) => hidden(change) === undefined),
      said: saidTo(listener, request.actor, { list, findings: plan.findings, denials }),
    },
  }
}

function toldDigest(
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
  sight: ActorSight,
  wrote: ReadonlySet<string>,
): (change: Change) => HiddenPart | undefined {
  const listed = new Set(changesListedFor(changes, sight, wrote))
  return (change) => {
    if (!listed.has(change)) return 'all'
    return hiddenOf(change, sight, true) === undefined ? undefined : 'before'
  }
}

function listenerOf(
  { access }: PipelineParts,
  reader: OrgReader,
  { shownTo, actor, source }: ApplyRequest,
  sight: ActorSight | null,
): Listener {
  if (shownTo === undefined || shownTo === actor) return { sight, author: true }
  const own = shownTo === null ? null : access.sight(reader, shownTo)
  const row = source.kind === 'request' ? reader.changeRequest(source.id) : undefined
  return { sight: row === undefined ? own : requestSight(reader, row, own), author: false }
}

function saidTo(
  { sight, author }: Listener,
  actor: string,
  { list, findings, denials }: Prepared['said'] & { list: JudgedList },
): Prepared['said'] {
  if (author) return { findings, denials }
  return {
    findings: toldFindings(findingsOverShown(findings, sight, list, 'all'), sight, nobodyWrote),
    denials: sight === null ? denials : toldDenials(denials, sight, nobodyWrote, actor),
  }
}

/** What could not be read completely, without the parts that would reveal what the author cannot see. */
function unsoundFor({ unsound, drafts }: GivenChanges, sight: ActorSight | null): GivenChanges['unsound'] {
  if (sight === null) return unsound
  // A draft may belong to another user.
  return unsound.map((each) =>
    drafts.length > 0 || unknownTo(sight, each.id) ? { ...each, part: null, rest: null } : each,
  )
}

/**
 * A plan of another org is not valid here, even if both have the same content. @throws AlmanacError conflict.stale_plan
 */
function demandLineage(reader: OrgReader, { lineage }: ApplyRequest): void {
  const here = reader.facts().lineage
  if (lineage === undefined || lineage === here) return
  throw new AlmanacError(
    'conflict.stale_plan',
    `The plan was made for the org of lineage ${lineage}; this org is ${here}. Plan here and review that plan.`,
    { details: [{ lineage, found: here }] },
  )
}

/** @throws AlmanacError conflict.stale_plan if the plan was made over a different generation */
function demandPlanBase({ planBase, changeDigest }: ApplyRequest, base: number): void {
  if (planBase === undefined || planBase === base) return
  throw new AlmanacError(
    'conflict.stale_plan',
    `The plan was made over generation ${planBase}, but generation ${base} is active now. Plan again and review that plan.`,
    { details: [{ reviewed: changeDigest ?? null, planned: planBase, base }] },
  )
}

/** @throws AlmanacError generation.not_found */
function demandBase(reader: OrgReader, base: number, active: number): void {
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

type Ground = Pick<Prepared, 'request' | 'given' | 'sight' | 'base' | 'baseView'>

/** @throws AlmanacError access.denied if an older generation contains what its reader cannot see. */
function partedOf(
  { sha256 }: PipelineParts,
  reader: OrgReader,
  { request, given, sight, base, baseView }: Ground,
): Parted {
  // What the org itself held can be omitted if it is already active; what a caller sends cannot, because that would
  // confirm a guessed hidden value.
  const parted = partedList(given, sight, baseView, {
    unchanged: (component) =>
      given.restores &&
      reader.digestOf(base, idOf(component)) === componentDigest(normalised(component, baseView), sha256),
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
  given: GivenChanges,
  changes: readonly Change[],
  { sight, author }: Listener,
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
  { components, rollbackTo }: GivenChanges,
  sight: ActorSight | null,
): boolean {
  if (sight === null || rollbackTo === null) return false
  const { visibility } = sight.at(reader, rollbackTo)
  return components.some(({ component }) => !visibility.component(component))
}

/** Refuses changes that depend on hidden sets in any case, in the same way for existing and missing sets. */
function unseenDenials(
  parts: PipelineParts,
  reader: OrgReader,
  { actor }: ApplyRequest,
  { changes, base, view }: UnseenChanges,
  removals: readonly ComponentId[],
): Denial[] {
  const all = [...changes, ...removals.map(removedUnseen)]
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
  if (given.length <= MANY)
    return { get: (id) => reader.digestOf(base, id) } as NonNullable<CandidateOptions['baseDigests']>
  if (given.length > VERY_MANY && given.length > baseView.count('config_entry') / 2)
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
