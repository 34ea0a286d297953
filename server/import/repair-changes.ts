// Repairs over a change list: judged as the pipeline judges it, fixed as was chosen (issue: --repair).
import {
  buildCandidate,
  repairFindings,
  validateCandidate,
  withRepairs,
  type Candidate,
  type CandidateComponent,
  type RepairChoice,
  type Repaired,
  type Unsound,
} from '#kernel/change/index.ts'
import { idOf, type ComponentId } from '#kernel/components/component.ts'
import type { ComponentView } from '#kernel/components/view.ts'
import { parseCivilDate } from '#kernel/dates/civil-date.ts'
import type { Finding } from '#kernel/errors/finding.ts'
import {
  accessDenied,
  authorise,
  directoryOf,
  type ActorSight,
  type EffectiveAccess,
} from '../access/index.ts'
import type { OrgReader } from '../ports/org-store.ts'

export interface ChangeList {
  components: CandidateComponent[]
  removals: ComponentId[]
  /** What was given and could not be read whole: nothing is repaired because of that. */
  unsound?: readonly Unsound[]
}

export interface RepairTerms {
  today: string
  /** What its author may see: findings of the rest are neither told nor fixed. Null for all of it. */
  sight: ActorSight | null
  /** By whose rights it is made; null for the operator of the folder, to whom the apply says what is lacking. */
  access: EffectiveAccess | null
}

export interface RepairedChanges extends ChangeList {
  /** Ids that the repairs added, changed or removed. */
  touched: ComponentId[]
  dropped: ComponentId[]
  repaired: number
  /** Choices that could not be followed. */
  findings: Finding[]
  /** Findings that still offer a repair, because nothing was chosen for them. */
  unrepaired: Finding[]
}

/**
 * The change list with the repairs in it. Pure over the reader; applies nothing.
 * @throws AlmanacError access.denied where a repair would change what its author may not edit
 */
export function repairChanges(
  reader: OrgReader,
  list: ChangeList,
  choices: readonly RepairChoice[],
  { today, sight, access }: RepairTerms,
): RepairedChanges {
  const active = reader.view(reader.activeGeneration())
  const shown = sight === null ? active : sight.narrowed(active)
  const base = reader.activeGeneration() === 0 ? null : shown
  const candidate = buildCandidate(base, list)
  const { findings } = validateCandidate(candidate, base, {
    today: parseCivilDate(today)!,
    principals: directoryOf(reader),
    unsound: list.unsound ?? [],
  })
  const told = findings.filter((finding) => !comparesHidden(finding, active, sight))
  const result = repairFindings(told, choices, candidate.view)
  const components = withRepairs(list.components, result)
  const dropped = result.removals
  const touched = [...result.components.map(idOf), ...dropped]
  const inBase = (id: ComponentId): boolean =>
    base !== null && reader.digestOf(reader.activeGeneration(), id) !== undefined
  // What the list would only have added is left out instead.
  const removals = [...new Set([...list.removals, ...dropped.filter(inBase)])]
  if (access !== null) demandEdit(access, base, candidate, result)
  const { repaired, unrepaired } = result
  return { components, removals, touched, dropped, repaired, findings: result.findings, unrepaired }
}

/** Said over the ranges of a set of which only what the list itself gives could be looked at. */
function comparesHidden({ facts }: Finding, active: ComponentView, sight: ActorSight | null): boolean {
  const set = facts?.['set']
  if (sight === null || typeof set !== 'string') return false
  const there = active.has('config_set', set) || active.has('feature_flag', set)
  return there && !sight.visibility.values(set)
}

/** Also where a repair only takes back what the list does. @throws AlmanacError access.denied */
function demandEdit(
  access: EffectiveAccess,
  base: ComponentView | null,
  { changes, view }: Candidate,
  { components, removals }: Pick<Repaired, 'components' | 'removals'>,
): void {
  const given = components.map((component) => ({ component, hints: {} }))
  const repairs = buildCandidate(view, { components: given, removals }).changes
  const touched = new Set(repairs.map(({ id }) => id))
  const denials = authorise(access, [...changes, ...repairs], base, view).filter(({ id }) => touched.has(id))
  const once = new Map(denials.map((denial) => [`${denial.id} ${denial.permission}`, denial]))
  if (once.size > 0) throw accessDenied([...once.values()])
}
