// The automation that waits for a call: it goes on with what the target has returned, and fails if the call is dead.
import type { CalloutOutcome } from '#kernel/records/index.ts'
import type { OutboxProblem, OutboxRow } from '../ports/outbox.ts'
import type { RecordJob } from '../ports/record-jobs.ts'
import type { RecordTransactor } from '../ports/record-store.ts'

type Waiting = Pick<OutboxRow, 'id' | 'job'>

/** In the transaction that removes the row: a call is never repeated because its result was lost. */
export async function resumeJob(
  tx: RecordTransactor,
  { id, job: waiting, effect }: Waiting & Pick<OutboxRow, 'effect'>,
  outcome: CalloutOutcome,
): Promise<void> {
  const job = await jobOf(tx, { id, job: waiting }, 'waiting')
  if (job === undefined) return
  const { waitsFor: _, outcomes, ...run } = job.automation!
  const automation = { ...run, outcomes: { ...outcomes, [effect.action]: outcome } }
  await tx.putJob({ ...job, state: 'queued', automation })
}

/** @param at ISO 8601 instant */
export async function failJob(
  tx: RecordTransactor,
  row: Waiting,
  { code, detail }: OutboxProblem,
  at: string,
): Promise<void> {
  const job = await jobOf(tx, row, 'waiting')
  // What earlier callouts have returned stays: the call can be sent again.
  if (job !== undefined)
    await tx.putJob({ ...job, state: 'failed', finishedAt: at, problem: { code, message: detail } })
}

/** The call is sent again. */
export async function restoreJob(tx: RecordTransactor, row: Waiting): Promise<void> {
  const job = await jobOf(tx, row, 'failed')
  if (job !== undefined) await tx.putJob({ ...job, state: 'waiting', finishedAt: null, problem: null })
}

/** The call is not sent again. */
export async function endJob(tx: RecordTransactor, row: Waiting): Promise<void> {
  const job = await jobOf(tx, row, 'failed')
  if (job === undefined) return
  const { waitsFor: _, outcomes: _outcomes, ...automation } = job.automation!
  await tx.putJob({ ...job, automation })
}

async function jobOf(
  tx: RecordTransactor,
  { id, job: waiting }: Waiting,
  state: RecordJob['state'],
): Promise<RecordJob | undefined> {
  const job = waiting === null ? undefined : await tx.job(waiting)
  return job?.state === state && job.automation?.waitsFor === id ? job : undefined
}
