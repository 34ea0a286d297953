// Writes what the part of a job has discarded to the audit, each item once, before the next part begins.
import type { Actor, AuditFact } from '../access/index.ts'
import type { RecordJob, RecordJobReader } from '../ports/record-jobs.ts'
import type { JobAudit } from '../records/index.ts'

export interface DiscardAuditDeps {
  read<T>(work: (reader: RecordJobReader) => Promise<T>): Promise<T>
  hasJobs(): boolean
  audit(by: Actor, fact: AuditFact): Promise<void>
}

export function createDiscardAudit({ read, hasJobs, audit }: DiscardAuditDeps): JobAudit {
  /** The end of the last part of each open job that is in the audit. */
  const audited = new Map<string, string | null>()
  const auditDiscarded = async (job: RecordJob): Promise<void> => {
    const { id, createdBy, correlationId, after } = job
    if (audited.get(id) === after) return
    for (const fact of discardsOf(job)) await audit({ actor: createdBy, correlationId }, fact)
    audited.set(id, after)
  }
  return {
    beforePart: async (id) => {
      if (audited.has(id)) return
      const job = hasJobs() ? await read((reader) => reader.job(id)) : undefined
      if (job !== undefined) await auditDiscarded(job)
    },
    afterPart: async (job) => {
      await auditDiscarded(job)
      if (job.finishedAt !== null) audited.delete(job.id)
    },
  }
}

function discardsOf({ outbox, deliveries }: RecordJob): AuditFact[] {
  const fact = (kind: 'outbox' | 'delivery', rationale: string, item: { id: string }): AuditFact => {
    const { id, ...before } = item
    return {
      ...{ component: `${kind}/${id}`, kind: `${kind}.discarded`, rationale },
      ...{ before: { state: 'dead', ...before }, after: null },
    }
  }
  return [
    ...(outbox?.discarded.map((each) => fact('outbox', outbox.reason, each)) ?? []),
    ...(deliveries?.discarded.map((each) => fact('delivery', deliveries.reason, each)) ?? []),
  ]
}
