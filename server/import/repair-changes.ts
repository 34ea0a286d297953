// Repairs over a change list: judged as the pipeline judges it, mended as was chosen (issue: --repair).
import {
  buildCandidate,
  repairFindings,
  validateCandidate,
  withRepairs,
  type CandidateComponent,
  type RepairChoice,
} from '#kernel/change/index.ts'
import type { ComponentId } from '#kernel/components/component.ts'
import { parseCivilDate } from '#kernel/dates/civil-date.ts'
import type { Finding } from '#kernel/errors/finding.ts'
import { directoryOf } from '../access/index.ts'
import type { OrgReader } from '../ports/org-store.ts'

export interface ChangeList {
  components: CandidateComponent[]
  removals: ComponentId[]
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

/** The change list with the repairs in it. Pure over the reader; applies nothing. */
export function repairChanges(
  reader: OrgReader,
  list: ChangeList,
  choices: readonly RepairChoice[],
  today: string,
): RepairedChanges {
  const base = reader.activeGeneration() === 0 ? null : reader.view(reader.activeGeneration())
  const candidate = buildCandidate(base, list)
  const { findings } = validateCandidate(candidate, base, {
    today: parseCivilDate(today)!,
    principals: directoryOf(reader),
  })
  const result = repairFindings(findings, choices, candidate.view)
  const components = withRepairs(list.components, result)
  const dropped = result.removals
  const inBase = (id: ComponentId): boolean =>
    base !== null && reader.digestOf(reader.activeGeneration(), id) !== undefined
  return {
    components,
    // What the list would only have added is left out instead.
    removals: [...new Set([...list.removals, ...dropped.filter(inBase)])],
    touched: [...result.components.map(({ type, key }): ComponentId => `${type}/${key}`), ...dropped],
    dropped,
    repaired: result.repaired,
    findings: result.findings,
    unrepaired: result.unrepaired,
  }
}
