// What this org hides from a user stays hidden in everything shown of a remote: plans of pushes, history, drift.
import { isComponentType, splitId, type ComponentId } from '#kernel/components/component.ts'
import type { ComponentView } from '#kernel/components/view.ts'
import type { RemoteDrift, RemoteGenerationChanges, RemoteJob } from '#wire/remotes.ts'
import type { Viewer } from '../access/index.ts'
import { isIdVisible, redactBudget, redactFindings } from '../pipeline/index.ts'

export interface RemoteRedactor {
  isVisible(id: string): boolean
  redactJob(job: RemoteJob): RemoteJob
  redactChanges(of: RemoteGenerationChanges): RemoteGenerationChanges
  redactDrift(drift: RemoteDrift): RemoteDrift
}

const redactedDetail = 'The remote rejected it because of something that you cannot see.'

/** @param view of the org here: a set that does not exist in it hides nothing */
export function createRemoteRedactor(view: ComponentView, viewer: Viewer | null): RemoteRedactor {
  const shows = (id: string): boolean => {
    if (viewer === null || !isComponentType(id.split('/')[0]!)) return true
    const set = splitId(id as ComponentId).key.split('.')[0]!
    return (
      isIdVisible(id as ComponentId, viewer) ||
      !(view.has('config_set', set) || view.has('feature_flag', set))
    )
  }
  const visibleOf = <T extends { id: string }>(rows: readonly T[]): T[] => rows.filter(({ id }) => shows(id))
  return {
    isVisible: shows,
    redactJob: (job) => {
      if (job.plan === null || viewer === null) return job
      const { changes, total, findings, cameAlong, changeDigest, budget } = job.plan
      const whole = changes.length === total && changes.every(({ id }) => shows(id))
      const plan = {
        ...job.plan,
        // Values can be guessed from either of them.
        changeDigest: whole ? changeDigest : null,
        budget: redactBudget(budget, viewer, whole),
        changes: visibleOf(changes),
        findings: redactFindings(
          findings.filter(({ component }) => shows(component)),
          viewer,
          new Set(),
        ),
        cameAlong: visibleOf(cameAlong),
      }
      // A remote's reason for a refusal names components and values.
      const problem = whole || job.problem === null ? job.problem : { ...job.problem, detail: redactedDetail }
      return { ...job, plan, problem }
    },
    redactChanges: (of) => ({ ...of, changes: visibleOf(of.changes) }),
    redactDrift: (drift) => ({ ...drift, components: visibleOf(drift.components) }),
  }
}
