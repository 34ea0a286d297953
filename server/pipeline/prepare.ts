// From a request to all that is known of it before the write: candidate, findings, plan, denials (completions 4).
import {
  buildCandidate,
  changeWords,
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
import type { OrgReader } from '../ports/org-store.ts'
import { absentSecrets } from './absent-secrets.ts'
import { takeChanges, type GivenChanges } from './change-source.ts'
import { mergeOverActive } from './conflict.ts'
import type { GraphCache } from './org-graph.ts'
import type { Denial, PipelineParts } from './parts.ts'
import { placeFindings } from './place-findings.ts'
import type { ChangeRequest, ChangeRow, PlanOutcome } from './request.ts'
import type { Stage } from './stages.ts'
import { sliceGrowth, touchedSets } from './touched-sets.ts'

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
}

/** From here on, one by one of the base is cheaper to ask than all at once. */
const MANY = 2000

/** @throws AlmanacError of the source, conflict.stale_generation, generation.not_found, user.not_found. */
export function prepare(
  parts: PipelineParts,
  reader: OrgReader,
  graphs: GraphCache,
  request: ChangeRequest,
  options: { trusted?: boolean } = {},
): Prepared {
  const enter = (stage: Stage): void => parts.faults?.(stage)
  enter('read')
  const base = reader.activeGeneration()
  const given = takeChanges(reader, request.source)

  enter('candidate')
  const merged = mergeOverActive(reader, given, request.base ?? given.base ?? base, base, parts.sha256)
  const baseView = reader.view(base)
  const baseGraph = graphs.at(reader, base)
  const candidate = buildCandidate(baseView, merged, {
    baseDigests: baseDigests(reader, base, merged.components.length),
    sha256: parts.sha256,
    graph: baseGraph,
  })

  enter('validate')
  const { findings, graph } = validateCandidate(candidate, base === 0 ? null : baseView, {
    today: parseCivilDate(parts.clock.today())!,
    principals: parts.access.principals(reader),
    rationale: request.rationale ?? '',
    graph: baseGraph,
  })

  enter('plan')
  const { changes, view } = candidate
  const growth = sliceGrowth(touchedSets(changes), baseView, view)
  const secrets = absentSecrets(changes, view, parts.secrets ?? (() => 'absent'))
  const plan = planOf(
    {
      lineage: reader.facts().lineage,
      base,
      changes,
      findings: [...given.findings, ...placeFindings([...findings, ...secrets], given.textOf)],
      budget: budgetOf(reader, base, growth),
    },
    parts.sha256,
  )

  enter('authorise')
  const denials =
    options.trusted === true ? [] : parts.access.authorise(reader, request.actor, changes, baseView, view)
  return { request, given, base, baseView, baseGraph, candidate, graph, growth, plan, denials }
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
  const { plan, candidate, denials, baseView, request } = prepared
  const most = request.most ?? Infinity
  const lacks = new Map<string, string[]>()
  for (const { id, permission } of denials) lacks.set(id, [...(lacks.get(id) ?? []), permission])
  const shown = candidate.changes.length > most ? candidate.changes.slice(0, most) : candidate.changes
  const rows = shown.map((change): ChangeRow => {
    const view = change.kind === 'removed' ? baseView : candidate.view
    return { change, words: changeWords(change, view), lacks: lacks.get(change.id) ?? [] }
  })
  const errorsFirst = plan.findings.length > most ? bySeverity(plan.findings).slice(0, most) : plan.findings
  return {
    lineage: plan.lineage,
    base: plan.base,
    changeDigest: plan.changeDigest,
    counts: plan.counts,
    budget: plan.budget,
    changes: rows,
    total: candidate.changes.length,
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
