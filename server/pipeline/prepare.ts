// From a request to all that is known of it before the write: candidate, findings, plan, denials (completions 4).
import {
  buildCandidate,
  componentDigest,
  normalised,
  planOf,
  type Budget,
  type Candidate,
  type CandidateOptions,
  type Plan,
} from '#kernel/change/index.ts'
import { validateCandidate } from '#kernel/change/validate.ts'
import { parseCivilDate } from '#kernel/dates/civil-date.ts'
import { hasErrors } from '#kernel/errors/finding.ts'
import type { ReferenceGraph } from '#kernel/graph/index.ts'
import type { ComponentView } from '#kernel/components/view.ts'
import { idOf, splitId, type ComponentId } from '#kernel/components/component.ts'
import { AlmanacError } from '#kernel/errors/almanac-error.ts'
import type { ActorSight } from '../access/index.ts'
import type { OrgReader } from '../ports/org-store.ts'
import { absentSecrets } from './absent-secrets.ts'
import { takeChanges, type GivenChanges } from './change-source.ts'
import { mergeOverActive } from './conflict.ts'
import type { GraphCache } from './org-graph.ts'
import type { Denial, PipelineParts } from './parts.ts'
import { partedList, shownDrafts, type Parted } from './parted-list.ts'
import { placeFindings } from './place-findings.ts'
import type { ChangeRequest, PlanOutcome } from './request.ts'
import type { Stage } from './stages.ts'
import { hiddenOf, rowOf, toldDenials, toldFindings, unknownTo } from './told.ts'
import { sliceGrowth, touchedSets } from './touched-sets.ts'
import { removedUnseen, unseenChanges, type UnseenChanges } from './unseen-changes.ts'

export interface Prepared {
  request: ChangeRequest
  given: GivenChanges
  /** The active generation, over which the candidate stands. */
  base: number
  baseView: ComponentView
  baseGraph: ReferenceGraph
  candidate: Candidate
  graph: ReferenceGraph
  growth: ReadonlyMap<string, number>
  plan: Plan
  denials: Denial[]
  /** Null where the author sees everything. */
  sight: ActorSight | null
  /** What stands on sets that the author does not see; it is never written. Null where there is nothing of it. */
  unseen: UnseenChanges | null
}

/** From here on, one by one of the base is cheaper to ask than all at once. */
const MANY = 2000

export interface PrepareOptions {
  /** Without access checks. */
  trusted?: boolean
  /** For an apply: what says what is active already asks for no right, also where it cannot be seen. */
  applying?: boolean
}

/** @throws AlmanacError of the source, conflict.stale_generation, generation.not_found, user.not_found. */
export function prepare(
  parts: PipelineParts,
  reader: OrgReader,
  graphs: GraphCache,
  request: ChangeRequest,
  options: PrepareOptions = {},
): Prepared {
  const enter = (stage: Stage): void => parts.faults?.(stage)
  enter('read')
  const base = reader.activeGeneration()
  const baseView = reader.view(base)
  const sight =
    options.trusted === true || request.operator === true ? null : parts.access.sight(reader, request.actor)
  const named = request.source.kind === 'drafts' ? request.source.ids : undefined
  const given = shownDrafts(takeChanges(reader, request.source), sight, named)
  const seenBase = request.base ?? given.base ?? base
  demandBase(reader, seenBase, base)
  const parted = partedOf(parts, reader, { request, given, sight, base, baseView }, options)

  enter('candidate')
  const merged = mergeOverActive(reader, parted.open, seenBase, base, parts.sha256, sight)
  const baseGraph = graphs.at(reader, base)
  const candidate = buildCandidate(baseView, merged, {
    baseDigests: baseDigests(reader, base, merged.components.length),
    sha256: parts.sha256,
    graph: baseGraph,
  })

  enter('validate')
  const context = {
    today: parseCivilDate(parts.clock.today())!,
    principals: parts.access.principals(reader),
    rationale: request.rationale ?? '',
  }
  const { findings, graph } = validateCandidate(candidate, base === 0 ? null : baseView, {
    ...context,
    unsound: unsoundFor(given, sight),
    graph: baseGraph,
  })
  const { components, removals, removedValues } = parted.unseen
  const unseen =
    sight === null || components.length + removals.length + removedValues.length === 0
      ? null
      : unseenChanges(parted.unseen, sight, candidate.view, { ...context, graph })

  enter('plan')
  const { changes, view } = candidate
  const growth = sliceGrowth(touchedSets(changes), baseView, view)
  const secrets = absentSecrets(changes, view, parts.secrets ?? (() => 'absent'))
  const wrote = givenIds(given)
  const plan = planOf(
    {
      lineage: reader.facts().lineage,
      base,
      changes: unseen === null ? changes : [...changes, ...unseen.changes],
      findings: [
        ...given.findings,
        ...placeFindings(
          [...toldFindings([...findings, ...secrets], sight, wrote), ...(unseen?.findings ?? [])],
          given.textOf,
        ),
      ],
      budget: budgetOf(reader, base, growth),
    },
    parts.sha256,
  )

  enter('authorise')
  const denials =
    options.trusted === true
      ? []
      : [
          ...toldDenials(
            parts.access.authorise(reader, request.actor, changes, baseView, view),
            sight,
            wrote,
          ),
          ...(unseen === null ? [] : unseenDenials(parts, reader, request, unseen, removals)),
        ]
  return { request, given, base, baseView, baseGraph, candidate, graph, growth, plan, denials, sight, unseen }
}

/** What could not be read whole, without the parts that would tell of what the author may not see. */
function unsoundFor({ unsound, drafts }: GivenChanges, sight: ActorSight | null): GivenChanges['unsound'] {
  if (sight === null) return unsound
  // A draft may be somebody else's.
  return unsound.map((each) =>
    drafts.length > 0 || unknownTo(sight, each.id) ? { ...each, part: null } : each,
  )
}

/** @throws AlmanacError generation.not_found */
function demandBase(reader: OrgReader, base: number, active: number): void {
  if (base === active || base === 0) return
  if (base > active)
    throw new AlmanacError(
      'generation.not_found',
      `There is no generation ${base} here to start from; the newest is ${active}. Retrieve again, or name a base that there is.`,
    )
  if (base < 0 || reader.generation(base) === undefined)
    throw new AlmanacError(
      'generation.not_found',
      `Generation ${base}, which the change list starts from, is not here. Retrieve again and apply over generation ${active}.`,
    )
}

type Ground = Pick<Prepared, 'request' | 'given' | 'sight' | 'base' | 'baseView'>

/** @throws AlmanacError access.denied where an older generation holds what its reader does not see. */
function partedOf(
  { sha256 }: PipelineParts,
  reader: OrgReader,
  { request, given, sight, base, baseView }: Ground,
  { applying = false }: PrepareOptions,
): Parted {
  // What was reviewed is applied as it was reviewed, an entry of hidden values as a change.
  const skip = (applying && request.changeDigest === undefined) || request.source.kind === 'generation'
  const parted = partedList(given, sight, baseView, {
    unchanged: (component) =>
      skip &&
      reader.digestOf(base, idOf(component)) === componentDigest(normalised(component, baseView), sha256),
  })
  const { components, removals } = parted.unseen
  if (request.source.kind === 'generation' && components.length + removals.length > 0)
    throw new AlmanacError(
      'access.denied',
      `${request.actor} may not see all of what generation ${request.source.generation} would bring back. Somebody who does can roll back to it.`,
    )
  return parted
}

/** What stands on sets that are not seen is refused in any case, alike for what is there and what is not. */
function unseenDenials(
  parts: PipelineParts,
  reader: OrgReader,
  { actor }: ChangeRequest,
  { changes, base, view }: UnseenChanges,
  removals: readonly ComponentId[],
): Denial[] {
  const all = [...changes, ...removals.map(removedUnseen)]
  const denials = parts.access.authorise(reader, actor, all, base, view)
  const taken = changes.flatMap(({ id, kind }): Denial[] => {
    const { type, key } = splitId(id)
    if (type === 'config_entry' || kind === 'removed') return []
    const message = `${actor} has no edit grant on ${key}. Choose another key, or ask somebody with access.manage.`
    return [{ id, permission: `edit:${key}`, message }]
  })
  return [...taken, ...denials]
}

function givenIds({ components, unsound, removals, drafts }: GivenChanges): Set<string> {
  return new Set([
    ...components.map(({ component }) => idOf(component)),
    ...unsound.map(({ id }) => id),
    ...removals,
    ...drafts.map(({ id }) => id),
  ])
}

function baseDigests(reader: OrgReader, base: number, given: number): CandidateOptions['baseDigests'] {
  if (given > MANY) return reader.digests(base)
  return { get: (id) => reader.digestOf(base, id) } as NonNullable<CandidateOptions['baseDigests']>
}

function budgetOf(reader: OrgReader, base: number, growth: ReadonlyMap<string, number>): Budget {
  const used = reader.generation(base)?.sliceBytes ?? 0
  const limit = reader.facts().sliceBudget
  let added = 0
  for (const bytes of growth.values()) added += bytes
  return { used, added, limit, left: limit - used - added }
}

/** What of a prepared change list is told, cut to the length that was asked for. */
export function outcomeOf(prepared: Prepared, ms: number): PlanOutcome {
  const { plan, candidate, denials, baseView, request, sight, unseen, given } = prepared
  const most = request.most ?? Infinity
  const lacks = new Map<string, string[]>()
  for (const { id, permission } of denials) lacks.set(id, [...(lacks.get(id) ?? []), permission])
  const lacked = (id: string): string[] => lacks.get(id) ?? []
  const wrote = sight === null ? null : givenIds(given)
  const open = candidate.changes.filter(({ id }) => wrote?.has(id) !== false || !unknownTo(sight, id))
  const rows = open.slice(0, most).map((change) => {
    const view = change.kind === 'removed' ? baseView : candidate.view
    const hidden = wrote === null ? undefined : hiddenOf(change, sight, wrote.has(change.id))
    return rowOf(change, view, lacked(change.id), hidden)
  })
  for (const change of unseen?.changes.slice(0, Math.max(0, most - rows.length)) ?? [])
    rows.push(rowOf(change, unseen!.view, lacked(change.id), change.kind === 'added' ? undefined : 'before'))
  const errorsFirst = plan.findings.length > most ? bySeverity(plan.findings).slice(0, most) : plan.findings
  return {
    lineage: plan.lineage,
    base: plan.base,
    changeDigest: plan.changeDigest,
    counts: plan.counts,
    budget: plan.budget,
    changes: rows,
    total: open.length + (unseen?.changes.length ?? 0),
    findings: errorsFirst,
    findingsTotal: plan.findings.length,
    refused: hasErrors(plan.findings),
    denials: denials.length > most ? denials.slice(0, most) : denials,
    ms,
  }
}

function bySeverity(findings: Plan['findings']): Plan['findings'] {
  return [
    ...findings.filter((each) => each.severity === 'error'),
    ...findings.filter((each) => each.severity !== 'error'),
  ]
}
