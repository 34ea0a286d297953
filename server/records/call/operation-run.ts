// A call of an operation that makes callouts. Its actions run in parts, each in one transaction with the mark of how far the
// call has come; the process that was called makes the callouts between them. A repeated request goes on after the mark.
import { AlmanacError } from '#kernel/errors/almanac-error.ts'
import { isStorageFailure } from '#kernel/errors/storage-failure.ts'
import type { ErrorCode } from '#kernel/errors/catalogue.ts'
import {
  operationProgram,
  type CalloutOutcome,
  type ObjectId,
  type OperationProgram,
} from '#kernel/records/index.ts'
import type { OperationResult } from '#wire/records.ts'
import type { OutboundCall } from '../../ports/outbox.ts'
import type { OperationRun, RecordJob } from '../../ports/record-jobs.ts'
import type { RecordEffect, RecordTransactor } from '../../ports/record-store.ts'
import { keepErased, keepReply, replyAge } from '../commands/run-once.ts'
import type { CommandDeps } from '../commands/save-command.ts'
import { newJob } from '../jobs/new-job.ts'
import { callOf, effectOf } from '../save/effect-row.ts'
import { canReadConfiguration } from '../read/can-read-all.ts'
import { runForCall } from '../save/save-item.ts'
import { isTriggered } from '../save/run-automation.ts'
import { saveContexts } from '../saves.ts'
import { callInput, type SentInput } from './call-input.ts'
import { returnedValues, runOverCall } from './call-operation.ts'

/** The caller makes the callout, and reports its end with the token. */
export interface PendingCallout {
  run: string
  token: string
  /** A call as the outbox has it. */
  callout: OutboundCall & { effect: RecordEffect }
  /** Whether configuration that the caller cannot read has chosen the named credential. */
  isHiddenTarget: boolean
}

/** What the part after a callout failed with: the mark of the callout stays. */
export interface FailedCall {
  failure: Pick<AlmanacError, 'message' | 'details'> & { code: ErrorCode }
}

/** The step was noted; no action follows it. */
export interface NotedStep {
  noted: true
}

export type CallReply = OperationResult | PendingCallout | FailedCall | NotedStep

/** What was kept for the idempotency key of a call that is not at its end. */
export interface UnfinishedReply {
  run: string
}

/** A synchronous operation ends whole at 60 seconds; what is left belongs to the end of its last callout. */
const claimMs = 75_000

export interface CallStart extends SentInput {
  generation: number
  user: string
  correlationId: string
  scopePath: RecordJob['scopePath']
  idempotency: OperationRun['idempotency']
  /** The delivery to a webhook endpoint that calls it. */
  delivery?: string
}

/** @throws AlmanacError as `callOperation`: nothing was saved */
export async function startOperation(
  deps: CommandDeps,
  tx: RecordTransactor,
  operation: OperationProgram,
  { generation, params, asOf, idempotency, delivery, user: createdBy, correlationId, scopePath }: CallStart,
): Promise<CallReply> {
  if (operation.actions.some(({ action }) => action.type === 'callout'))
    await tx.removeOperations(replyAge(deps.clock.now()))
  const run: OperationRun = {
    ...{ key: operation.key, generation, params, asOf, idempotency, done: 0, outcomes: {} },
    ...{ callId: deps.ids.uuid(), isUnknown: false, claim: null },
    ...(delivery !== undefined && { delivery }),
  }
  const facts = { kind: 'operation', object: '' as ObjectId, total: 1, operation: run } as const
  const job = newJob(deps.ids.uuid(), deps.clock.now(), { ...facts, createdBy, correlationId, scopePath })
  const reply = await tx.savepoint(() => advance(deps, tx, job, run))
  if ('run' in reply && idempotency !== null)
    await keepReply(deps, tx, idempotency, { run: reply.run } satisfies UnfinishedReply)
  return reply
}

/**
 * Goes on with the operation of a delivery, which nobody else does: its claim was taken over.
 * @param acceptsRepeat whether a callout is repeated whose outcome is not known
 * @throws AlmanacError `record.erased`, `integration.outcome_unknown`, and as `startOperation`
 */
export async function continueForDelivery(
  deps: CommandDeps,
  tx: RecordTransactor,
  { run: id, acceptsRepeat }: { run: string; acceptsRepeat: boolean },
): Promise<CallReply> {
  const job = await tx.job(id)
  const run = job?.operation
  if (job === undefined || run == null)
    throw new AlmanacError(
      'record.erased',
      'What the callouts of the operation had returned was erased, so it cannot go on.',
    )
  if (run.isUnknown && !acceptsRepeat)
    throw new AlmanacError(
      'integration.outcome_unknown',
      `It is not known whether the target has carried out a callout of ${run.key}, so the callout is not repeated. Check the target. Then requeue the delivery with "acceptRepeat": true, or discard it.`,
    )
  return advanceKept(deps, tx, job, { ...run, isUnknown: false })
}

/** @throws AlmanacError `conflict.operation_running`, `integration.outcome_unknown`, and as `startOperation` */
export async function continueOperation(
  deps: CommandDeps,
  tx: RecordTransactor,
  id: string,
): Promise<CallReply> {
  const job = await tx.job(id)
  const run = job?.operation
  if (job === undefined || run == null) throw gone()
  if (run.claim !== null && run.claim.until > deps.clock.now())
    throw new AlmanacError(
      'conflict.operation_running',
      `An earlier request with this Idempotency-Key is still running ${run.key}. Repeat the request later.`,
    )
  if (run.isUnknown)
    throw new AlmanacError(
      'integration.outcome_unknown',
      `It is not known whether the target has carried out a callout of ${run.key} for an earlier request with this Idempotency-Key, so the callout is not repeated. Check the target. If it was not carried out, call the operation with a new Idempotency-Key.`,
    )
  return advanceKept(deps, tx, job, run)
}

/** `sending`: before a callout that must not be repeated is sent. */
export type CallStep = { run: string; token: string } & (
  { kind: 'sending' } | { kind: 'returned'; outcome: CalloutOutcome } | { kind: 'failed'; isUnknown: boolean }
)

/** @throws AlmanacError `conflict.operation_running` if a repeated request has taken over */
export async function stepOperation(
  deps: CommandDeps,
  tx: RecordTransactor,
  step: CallStep,
): Promise<CallReply> {
  const job = await tx.job(step.run)
  const run = job?.operation
  if (job === undefined || run == null || run.claim?.token !== step.token) throw gone()
  switch (step.kind) {
    case 'sending':
      await tx.putJob({ ...job, operation: { ...run, isUnknown: true } })
      return { noted: true }
    case 'failed':
      await leave(deps, tx, job, { ...run, isUnknown: step.isUnknown })
      return { noted: true }
    case 'returned': {
      const { key } = actionAt(deps, run)
      const outcomes = { ...run.outcomes, [key]: step.outcome }
      const done = { ...run, outcomes, done: run.done + 1, callId: deps.ids.uuid(), isUnknown: false }
      return advanceKept(deps, tx, job, done)
    }
  }
}

const gone = (): AlmanacError =>
  new AlmanacError(
    'conflict.operation_running',
    'A repeated request goes on with the operation, or its values were erased. This request does nothing more.',
  )

/** Actions that fail are undone, but the mark of the callouts before them stays. */
async function advanceKept(
  deps: CommandDeps,
  tx: RecordTransactor,
  job: RecordJob,
  run: OperationRun,
): Promise<CallReply> {
  try {
    return await tx.savepoint(() => advance(deps, tx, job, run))
  } catch (error) {
    if (!(error instanceof AlmanacError) || isStorageFailure(error)) throw error
    await leave(deps, tx, job, run)
    const { code, message, details } = error
    return { failure: { code, message, details } }
  }
}

/** Only a repeated request can go on with it, and none if what its callouts have returned cannot be kept. */
async function leave(
  deps: CommandDeps,
  tx: RecordTransactor,
  job: RecordJob,
  run: OperationRun,
): Promise<void> {
  const isKept = run.isErased !== true || Object.keys(run.outcomes).length === 0
  const canGoOn = run.idempotency !== null || run.delivery !== undefined
  if (!canGoOn || !isKept) await tx.removeJob(job.id)
  else await tx.putJob({ ...job, state: 'waiting', operation: { ...run, claim: null } })
  if (run.idempotency !== null && !isKept) await keepErased(deps, tx, run.idempotency)
}

/** Runs actions up to the next callout, or to the end. */
async function advance(
  deps: CommandDeps,
  tx: RecordTransactor,
  job: RecordJob,
  { idempotency, ...run }: OperationRun,
): Promise<CallReply> {
  const { createdBy: actor, correlationId, scopePath } = job
  const { key, generation, outcomes } = run
  const operation = programOf(deps, run)
  const access = deps.accessOf(actor, generation, scopePath)
  const context = saveContexts(deps, tx, { generation, actor, access, correlationId, scopePath })()
  const over = runOverCall(context, operation, callInput(operation, run), outcomes)
  const isStart = run.done === 0 && Object.keys(outcomes).length === 0
  const ran = !isStart || isTriggered(over)
  const next = ran ? await runForCall(over, run.done) : null
  if (next === null) {
    const reply = { operation: key, generation, ran, returns: returnedValues(over, operation) }
    if (!isStart) await tx.removeJob(job.id)
    if (idempotency !== null)
      await (run.isErased === true
        ? keepErased(deps, tx, idempotency)
        : keepReply(deps, tx, idempotency, reply))
    return reply
  }
  const { step, action, at } = next
  const token = deps.ids.uuid()
  const until = new Date(Date.parse(deps.clock.now()) + claimMs).toISOString()
  const waiting: OperationRun = { ...run, idempotency, done: at, claim: { token, until } }
  await tx.putJob({ ...job, state: 'waiting', operation: waiting })
  const callout = { ...callOf(over, step, action), id: run.callId, effect: effectOf(over, step, action) }
  const target = step.program('credential')
  return {
    ...{ run: job.id, token, callout },
    isHiddenTarget: target !== null && !canReadConfiguration(access, target),
  }
}

function programOf(deps: CommandDeps, { key, generation }: Pick<OperationRun, 'key' | 'generation'>) {
  const operation = operationProgram(deps.snapshots.at(generation).view, key)
  if (operation === null) throw gone()
  return operation
}

const actionAt = (deps: CommandDeps, run: OperationRun): { key: string } =>
  programOf(deps, run).actions[run.done]!.action
