// The parts of the pipeline over an open store: clock, ids, access checks, approval policy.
import {
  authorise,
  directoryOf,
  effectiveAccess,
  followAssignments,
  lockoutFindings,
  recordingRootClients,
  viewerFor,
} from '../access/index.ts'
import { followClients } from '../clients/index.ts'
import { importCompanionWriters, moveImportRecords } from '../import/index.ts'
import type { AccessChecks, FaultHook, PipelineDeps } from '../pipeline/index.ts'
import type { MachineClock, OrgClock } from '../ports/clock.ts'
import type { OrgStore } from '../ports/org-store.ts'
import { createApprovalPolicy } from '../requests/index.ts'
import {
  orgClock,
  systemClock,
  systemIds,
  systemRandom,
  systemSha256,
  timeRecordingStore,
} from '../system/index.ts'

export interface DepsOptions {
  /** For crash tests. */
  faultHook?: FaultHook | undefined
  /** For tests. */
  clock?: MachineClock | undefined
}

export function depsOf(
  opened: OrgStore,
  { faultHook, clock: machine = systemClock }: DepsOptions = {},
): PipelineDeps & { clock: OrgClock } {
  const clock = orgClock({ machine, store: opened, elapsed: () => performance.now() })
  const store = timeRecordingStore(opened, clock)
  const approvalPolicy = createApprovalPolicy({ clock, random: systemRandom, sha256: systemSha256 })
  return {
    ...{ store, clock, ids: systemIds, sha256: systemSha256 },
    ...{ access: accessChecks, approvalPolicy, followers, faultHook },
    companionWriters: importCompanionWriters(accessChecks.viewer),
  }
}

const followers = [recordingRootClients([followAssignments, followClients, moveImportRecords])]

export const accessChecks: AccessChecks = {
  principals: directoryOf,
  viewer: (reader, actor) => {
    const generation = reader.generations.active()
    const view = reader.generations.view(generation)
    return viewerFor(effectiveAccess(reader, actor, view), { generation, view })
  },
  authorise: (reader, actor, changes, base, candidate) => {
    // Uses the rights from before the change list, so that users cannot grant rights to themselves.
    const view = reader.generations.view(reader.generations.active())
    return authorise(effectiveAccess(reader, actor, view), changes, base, candidate)
  },
  lockoutFindings,
}
