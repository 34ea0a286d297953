// Plan: computes digests, counts and the slice budget, and collects the findings as author and audience can see them.
import {
  buildPlan,
  saltedDigest,
  type Budget,
  type Change,
  type Digest,
  type HiddenPart,
  type Plan,
  type Sha256,
} from '#kernel/change/index.ts'
import type { ComponentId } from '#kernel/components/component.ts'
import type { Finding } from '#kernel/errors/finding.ts'
import type { Denial, Viewer } from '../../access/index.ts'
import type { OrgReader } from '../../ports/org-store.ts'
import {
  changesForAuthor,
  hiddenOf,
  hideConsequencesOfRefusal,
  noWrittenIds,
  redactDenials,
  redactFindings,
  redactFindingsForAuthor,
  type Audience,
} from '../change-redaction.ts'
import type { LoadedChanges } from '../change-source.ts'
import { draftFindings } from '../draft-findings.ts'
import { keyMoves } from '../key-moves.ts'
import { locateFindings } from '../locate-findings.ts'
import type { ApplyRequest } from '../request.ts'
import { isRestoredHidden, restoredIdentity } from '../restored-identity.ts'
import { sliceGrowth } from '../touched-sets.ts'
import { findingsForViewer, type ValidatedChangeList } from '../viewer-findings.ts'
import type { AuthoriseResult } from './authorise.ts'
import type { LoadResult, StageInput } from './load.ts'
import type { MergeResult } from './merge.ts'
import type { PartitionResult } from './partition.ts'
import type { Stage } from './stage.ts'
import type { ValidateResult } from './validate.ts'

type Needs = Omit<StageInput, 'cache'> &
  Pick<LoadResult, 'audience' | 'base' | 'baseView' | 'loadedChanges' | 'viewer'> &
  Pick<PartitionResult, 'writtenIds'> &
  Pick<MergeResult, 'baseDigests' | 'candidate'> &
  Omit<ValidateResult, 'graph'> &
  AuthoriseResult

/** Findings and denials as the audience can see them. */
export interface Assessment {
  findings: readonly Finding[]
  denials: readonly Denial[]
}

export interface PlanResult {
  plan: Plan
  /** The number of bytes by which the slice of each affected set grows. */
  growth: ReadonlyMap<string, number>
  denials: readonly Denial[]
  /**
   * The digest that is reported: for a change request the salted one, because an approver may be unable to see all of
   * its changes.
   */
  changeDigest: Digest
  /** Whether nothing of the changes is hidden from the author. */
  canSeeAll: boolean
  assessment: Assessment
  /** What is restored and was hidden from an audience that did not write the list. */
  hiddenRestores: ReadonlySet<ComponentId>
}

/** Runs after `authorise`: findings that only follow from a refusal are left out. */
export const plan: Stage<'plan', Needs, PlanResult> = {
  name: 'plan',
  run: (context) => {
    const { deps, reader, request, base, loadedChanges, viewer, audience, writtenIds } = context
    const { changes } = context.candidate
    const { unseenChanges } = context
    const growth = growthOf(context)
    const raised = raisedIn(context)
    const planned = unseenChanges === null ? changes : [...changes, ...unseenChanges.changes]
    const hidden = viewer === null ? undefined : hiddenFrom(planned, viewer, writtenIds)
    const result = buildPlan(
      {
        lineage: reader.properties.get().lineage,
        base,
        changes: planned,
        findings: [
          ...loadedChanges.findings,
          ...draftFindings(reader, request.actor, {
            includedDrafts: loadedChanges.drafts,
            skippedDrafts: loadedChanges.skippedDrafts,
            changes,
          }),
          ...locateFindings(
            [
              ...redactFindingsForAuthor(raised.findings, viewer, writtenIds),
              ...(unseenChanges?.findings ?? []),
            ],
            loadedChanges.textOf,
          ),
        ],
        budget: budgetOf(reader, base, growth),
        baseDigest: (id) => context.baseDigests.get(id),
        hidden,
      },
      deps.sha256,
    )
    const denials = [...redactDenials(raised.denials, viewer, writtenIds), ...context.unseenDenials]
    return {
      plan: result,
      growth,
      denials,
      changeDigest: reportedDigestOf(reader, request, result, deps.sha256),
      canSeeAll: hidden === undefined || planned.every((change) => hidden(change) === undefined),
      assessment: assessmentFor(audience, request.actor, {
        list: context.validatedList,
        findings: result.findings,
        denials,
      }),
      hiddenRestores: hiddenRestoresOf(reader, loadedChanges, changes, audience),
    }
  },
}

function growthOf({ request, baseView, candidate }: Needs): Map<string, number> {
  if (request.skipsValidation === true) return new Map()
  return sliceGrowth(candidate.changes, baseView, candidate.view)
}

/** All findings and denials, without those that only follow from a refusal. */
function raisedIn(context: Needs): Assessment {
  const { deps, reader, request, trusted, base, baseView, candidate, viewer, writtenIds } = context
  const { changes, view } = candidate
  const lockout =
    request.skipsValidation === true || trusted
      ? []
      : deps.access.lockoutFindings(reader, changes, keyMoves(changes), base === 0 ? null : baseView, view)
  return hideConsequencesOfRefusal(
    { findings: [...context.candidateFindings, ...lockout], denials: context.visibleDenials },
    viewer,
    writtenIds,
    context.unseenDenials.length > 0,
  )
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
  writtenIds: ReadonlySet<string>,
): (change: Change) => HiddenPart | undefined {
  const listed = new Set(changesForAuthor(changes, viewer, writtenIds))
  return (change) => {
    if (!listed.has(change)) return 'all'
    return hiddenOf(change, viewer, true) === undefined ? undefined : 'before'
  }
}

function assessmentFor(
  { viewer, isAuthor }: Audience,
  actor: string,
  { list, findings, denials }: Assessment & { list: ValidatedChangeList },
): Assessment {
  if (isAuthor) return { findings, denials }
  return {
    findings: redactFindings(findingsForViewer(findings, viewer, list, 'all'), viewer, noWrittenIds),
    denials: viewer === null ? denials : redactDenials(denials, viewer, noWrittenIds, actor),
  }
}

function hiddenRestoresOf(
  reader: OrgReader,
  loadedChanges: LoadedChanges,
  changes: readonly Change[],
  { viewer, isAuthor }: Audience,
): Set<ComponentId> {
  if (
    isAuthor ||
    viewer === null ||
    (loadedChanges.rollbackTo === null && loadedChanges.restoredIdentities.size === 0)
  )
    return new Set()
  const hidden = changes.filter(({ id, kind }) => {
    const identity = kind === 'added' ? restoredIdentity(reader, loadedChanges, id) : undefined
    return identity !== undefined && isRestoredHidden(reader, identity, viewer)
  })
  return new Set(hidden.map(({ id }) => id))
}

function budgetOf(reader: OrgReader, base: number, growth: ReadonlyMap<string, number>): Budget {
  const used = reader.generations.get(base)?.sliceBytes ?? 0
  const limit = reader.properties.get().sliceBudget
  let added = 0
  for (const bytes of growth.values()) added += bytes
  return { used, added, limit, left: limit - used - added }
}
