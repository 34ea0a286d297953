// The events of bulk jobs for the execution trace, under the correlation id of the job.
import type { IngestJob } from '../../ports/ingest.ts'
import type { RecordTransactor } from '../../ports/record-store.ts'
import type { TraceEventOf } from '../../ports/trace.ts'

type State = TraceEventOf<'ingest'>['facts']['state']

/** Writes the event of a job that was closed or has ended, in the transaction that does it. */
export async function noteIngest(
  tx: Pick<RecordTransactor, 'appendTrace'>,
  job: IngestJob,
  newId: () => string,
): Promise<void> {
  await tx.appendTrace([{ ...ingestEvent(job), id: newId() }])
}

function ingestEvent(job: IngestJob): TraceEventOf<'ingest'> {
  const { id: ingest, operation, client, state, place, problem, correlationId, createdBy } = job
  const { createdAt, closedAt, finishedAt, created, changed, unchanged, deleted, failed } = job
  const at = closedAt ?? createdAt
  return {
    ...{ at, kind: 'ingest', correlationId, subject: null, record: null, actor: createdBy },
    isFailed: state === 'failed' || failed > 0,
    durationMs: finishedAt === null ? null : Math.max(0, Date.parse(finishedAt) - Date.parse(at)),
    facts: {
      ...{ ingest, operation, client, state: state as State, rows: place.rows },
      ...{ created, changed, unchanged, deleted, failed, code: problem?.code ?? null },
    },
  }
}
