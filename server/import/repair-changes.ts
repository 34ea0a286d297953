// Repairs a change list: checked as in the pipeline, then fixed by the chosen repairs.
import {
  buildCandidate,
  repairFindings,
  validateCandidate,
  applyRepairs,
  type Candidate,
  type CandidateComponent,
  type RepairChoice,
  type RepairResult,
  type InvalidComponent,
} from '#kernel/change/index.ts'
import { idOf, type ComponentId } from '#kernel/components/component.ts'
import type { ComponentView } from '#kernel/components/view.ts'
import { parseCivilDate } from '#kernel/dates/civil-date.ts'
import type { Finding } from '#kernel/errors/finding.ts'
import { accessDenied, authorise, directoryOf, type Viewer, type EffectiveAccess } from '../access/index.ts'
import type { OrgReader } from '../ports/org-store.ts'

export interface ChangeList {
  components: CandidateComponent[]
  removals: ComponentId[]
  /** Components that could not be read completely: nothing is repaired because of their absence. */
  invalidComponents?: readonly InvalidComponent[]
}

export interface RepairOptions {
  today: string
  /** What its author can see: findings about the rest are neither reported nor fixed. Null for everything. */
  viewer: Viewer | null
  /**
   * The access of the repairing user; null for the operator of the folder, to whom the apply reports what is missing.
   */
  access: EffectiveAccess | null
}

export interface RepairedChanges extends ChangeList {
  /** Ids that the repairs added, changed or removed. */
  touched: ComponentId[]
  dropped: ComponentId[]
  repaired: number
  /** Choices that could not be applied. */
  findings: Finding[]
  /** Findings that still offer a repair, because none was chosen for them. */
  unrepaired: Finding[]
}

/**
 * Returns the change list including the repairs. Pure over the reader; applies nothing.
 * @throws AlmanacError access.denied if a repair would change what its author cannot edit
 */
export function repairChanges(
  reader: Pick<OrgReader, 'components' | 'generations' | 'people'>,
  list: ChangeList,
  choices: readonly RepairChoice[],
  { today, viewer, access }: RepairOptions,
): RepairedChanges {
  const active = reader.generations.view(reader.generations.active())
  const shown = viewer === null ? active : viewer.narrow(active)
  const base = reader.generations.active() === 0 ? null : shown
  const candidate = buildCandidate(base, list)
  const { findings } = validateCandidate(candidate, base, {
    today: parseCivilDate(today)!,
    principals: directoryOf(reader),
    invalidComponents: list.invalidComponents ?? [],
  })
  const visibleFindings = findings.filter((finding) => !comparesHidden(finding, active, viewer))
  const result = repairFindings(visibleFindings, choices, candidate.view)
  const components = applyRepairs(list.components, result)
  const dropped = result.removals
  const touched = [...result.components.map(idOf), ...dropped]
  const inBase = (id: ComponentId): boolean =>
    base !== null && reader.components.digest(reader.generations.active(), id) !== undefined
  // What the list would only have added is omitted instead.
  const removals = [...new Set([...list.removals, ...dropped.filter(inBase)])]
  if (access !== null) requireEdit(access, base, candidate, result)
  const { repaired, unrepaired } = result
  return { components, removals, touched, dropped, repaired, findings: result.findings, unrepaired }
}

/** Whether a finding compares ranges of a set of which only the list's own content was visible. */
function comparesHidden({ facts }: Finding, active: ComponentView, viewer: Viewer | null): boolean {
  const set = facts?.['set']
  if (viewer === null || typeof set !== 'string') return false
  const there = active.has('config_set', set) || active.has('feature_flag', set)
  return there && !viewer.visibility.canSeeValues(set)
}

/** Applies even if a repair only reverts what the list does. @throws AlmanacError access.denied */
function requireEdit(
  access: EffectiveAccess,
  base: ComponentView | null,
  { changes, view }: Candidate,
  { components, removals }: Pick<RepairResult, 'components' | 'removals'>,
): void {
  const given = components.map((component) => ({ component, hints: {} }))
  const repairs = buildCandidate(view, { components: given, removals }).changes
  const touched = new Set(repairs.map(({ id }) => id))
  const denials = authorise(access, [...changes, ...repairs], base, view).filter(({ id }) => touched.has(id))
  const once = new Map(denials.map((denial) => [`${denial.id} ${denial.permission}`, denial]))
  if (once.size > 0) throw accessDenied([...once.values()])
}
