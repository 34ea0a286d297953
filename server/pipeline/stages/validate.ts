// Validate: checks the candidate against schemas, rules, expressions and references.
import { validateCandidate } from '#kernel/change/validate.ts'
import type { Finding } from '#kernel/errors/finding.ts'
import type { ReferenceGraph } from '#kernel/graph/index.ts'
import type { Viewer } from '../../access/index.ts'
import { isUnknownTo } from '../change-redaction.ts'
import type { LoadedChanges } from '../change-source.ts'
import { boundCycles, noBoundCycles, type BoundCycles } from '../bound-cycles.ts'
import { formerRationales } from '../flag-rationales.ts'
import { fieldsInUse } from '../fields-in-use.ts'
import { keptValues } from '../kept-values.ts'
import { recordLosses } from '../record-losses.ts'
import { driftFindings, driftOf, type ServiceDrift } from '../service-drift.ts'
import { retiredValues } from '../retired-values.ts'
import { undispatched } from '../undispatched.ts'
import { unimportedFindings } from '../unimported-services.ts'
import { validateUnseenChanges, type UnseenChanges } from '../unseen-changes.ts'
import { findingsForViewer, type ValidatedChangeList } from '../viewer-findings.ts'
import type { LoadResult, StageInput } from './load.ts'
import type { MergeResult } from './merge.ts'
import type { PartitionResult } from './partition.ts'
import type { Stage } from './stage.ts'

type Needs = Pick<StageInput, 'deps' | 'reader' | 'request'> &
  Pick<LoadResult, 'base' | 'baseView' | 'loadedChanges' | 'today' | 'viewer'> &
  PartitionResult &
  Pick<MergeResult, 'candidate' | 'baseGraph'>

export interface ValidateResult {
  graph: ReferenceGraph
  /** As the author can see them. */
  candidateFindings: readonly Finding[]
  /** What depends on sets that the author does not see; it is never written. Null if nothing does. */
  unseenChanges: UnseenChanges | null
  validatedList: ValidatedChangeList
  /** What records would lose; a save in between can change it. */
  losses: readonly Finding[]
  /** The fields in use that it removes; a request of a client in between can change it. */
  usesLost: readonly Finding[]
  /** What new descriptions of external services change. */
  drifts: readonly ServiceDrift[]
  /** The cycles with formulas that stored values keep; a save in between can add one. */
  bound: BoundCycles
}

export const validate: Stage<'validate', Needs, ValidateResult> = {
  name: 'validate',
  run: ({ deps, reader, request, base, baseView, loadedChanges, today, viewer, ...judged }) => {
    const { partition, writtenIds, candidate, baseGraph } = judged
    const context = {
      today,
      principals: deps.access.principals(reader),
      rationale: request.rationale ?? '',
      formerRationales: formerRationales(reader, base, candidate.changes),
    }
    const skips = request.skipsValidation === true
    const { findings, graph } = skips
      ? { findings: [], graph: baseGraph }
      : validateCandidate(candidate, base === 0 ? null : baseView, {
          ...context,
          invalidComponents: invalidComponentsFor(loadedChanges, viewer),
          graph: baseGraph,
        })
    const { restoresFrom } = loadedChanges
    const losses = skips ? [] : recordLosses(reader, base, candidate.changes, loadedChanges)
    const usesLost = skips
      ? []
      : fieldsInUse(reader, {
          ...{ base, baseView, changes: candidate.changes, now: deps.clock.now(), restoresFrom },
          confirmed: loadedChanges.confirmed,
        })
    const waiting = skips ? [] : undispatched(reader, base, candidate.changes)
    const drifts = skips ? [] : driftOf(reader.descriptions, candidate.changes, deps.sha256)
    const unimported =
      skips || request.importsLater === true
        ? []
        : unimportedFindings(reader.descriptions, candidate.changes, loadedChanges.findings)
    const ofServices = driftFindings(drifts, { baseGraph, graph, isRestore: loadedChanges.isRestore })
    const bound = skips ? noBoundCycles : boundCycles(reader, { base, candidate, restoresFrom })
    const kept = skips || base === 0 ? [] : keptValues(reader, { base, candidate, graph, restoresFrom })
    const retired =
      skips || base === 0 ? [] : retiredValues(reader, { base, baseView, candidate, graph, restoresFrom })
    const { components, removals, removedValues } = partition.unseenComponents
    const unseenChanges =
      viewer === null || components.length + removals.length + removedValues.length === 0
        ? null
        : validateUnseenChanges(partition.unseenComponents, viewer, candidate.view, { ...context, graph })
    // They contain numbers of records, and names of clients. Without metadata.author, no change of an object can be applied.
    const seesRecords = viewer === null || viewer.canSeeAllDefinitions
    const ofRecords = seesRecords
      ? [...losses, ...kept, ...retired, ...usesLost, ...waiting, ...bound.findings]
      : []
    const { changes, view } = candidate
    const renamedBase = base === 0 ? null : candidate.renamedBase
    const validatedList = { changes, graph, context: { ...context, view, base: renamedBase } }
    const candidateFindings = findingsForViewer(
      [...findings, ...unimported, ...ofServices, ...ofRecords],
      viewer,
      validatedList,
      writtenIds,
    )
    return { graph, candidateFindings, unseenChanges, validatedList, losses, usesLost, drifts, bound }
  },
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
