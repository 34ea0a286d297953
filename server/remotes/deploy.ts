// Runs a push or a rollback as a sequence of phases: what may have been sent is looked up before anything is sent
// again, so that a connection that is lost during a push never applies anything twice.
import { AlmanacError } from '#kernel/errors/almanac-error.ts'
import { recordAudit } from '../access/index.ts'
import { generationsSince } from './history.ts'
import type { RemoteChangeRequest } from './response-schemas.ts'
import type { ComparisonService } from './comparison.ts'
import { deployWork, InterruptedError, type JobEnd, type JobRun, type JobWork } from './job-run.ts'
import { loadLocalState } from './local-state.ts'
import { listDifferences } from './compare.ts'
import { readListing } from './listing.ts'
import { advanceLastSeen, refreshListing } from './refresh-listing.ts'
import type { RemotesDeps } from './deps.ts'
import { isTransient, problemOf, refusalOf, remoteError } from './remote-error.ts'
import { streamChangeList } from './change-list-stream.ts'
import { selectComponents, validateRollback, validatePush } from './validate-push.ts'

const maxAttempts = 3

export function createDeployWork(deps: RemotesDeps, comparing: ComparisonService): JobWork {
  return async (run) => {
    const work = deployWork(run)
    if (work.phase === 'prepare') {
      const end = await prepare(deps, comparing, run)
      if (end !== null) return end
    }
    if (work.phase === 'sent') await confirmOutcome(run)
    // Each phase begins where the previous one ended.
    for (;;) {
      switch (deployWork(run).phase) {
        case 'send':
          await send(deps, run)
          break
        case 'request':
          if (!(await followRequest(run))) return 'waiting'
          break
        case 'finish':
          return finish(deps, run)
        case 'prepare':
        case 'sent':
          throw new Error(`A deploy cannot continue in the phase ${deployWork(run).phase}.`)
      }
    }
  }
}

/** Null if it continues immediately. */
async function prepare(deps: RemotesDeps, comparing: ComparisonService, run: JobRun): Promise<JobEnd | null> {
  const work = deployWork(run)
  const { reached } = await refreshListing(deps, run)
  const { approvals } = reached.contact
  work.asRequest = approvals > 0
  if (work.push === null) {
    work.base = reached.contact.generation
    if (work.review === true) {
      const plan = await validateRollback(run, work.rollbackTo!, approvals)
      run.job.plan = plan
      if (plan.total === 0) return nothingToDo(run)
      Object.assign(work, { base: plan.base, changeDigest: plan.changeDigest })
    }
    work.phase = 'send'
    await run.save()
    return work.review === true ? 'review' : null
  }
  run.reportStep('compare')
  const comparison = await comparing.loadComparison(run.by, run.remote.key, work.push.local)
  const selection = await selectComponents(deps, run, comparison)
  if (selection.ids.length === 0) return nothingToDo(run)
  const plan = await validatePush(run, comparison, selection, approvals)
  run.job.plan = plan
  if (plan.total === 0) return nothingToDo(run)
  if (plan.refused && !work.push.review) throw refusedPlanError(run)
  Object.assign(work, {
    going: selection.ids,
    base: plan.base,
    changeDigest: plan.changeDigest,
    phase: 'send',
  })
  await run.save()
  return work.push.review ? 'review' : null
}

function nothingToDo(run: JobRun): JobEnd {
  run.job.outcome = { generation: null, changes: 0, fetched: 0 }
  return 'done'
}

/** Reports that nothing was sent to be applied; the plan of the job shows what is wrong. */
function refusedPlanError({ remote, job }: JobRun): AlmanacError {
  const plan = job.plan!
  const error = plan.findings.find(({ severity }) => severity === 'error')
  const lacking = plan.changes.find(({ lacks }) => lacks !== null)
  const why =
    error?.message ?? `the account there does not have ${lacking?.lacks}, which ${lacking?.id} requires.`
  return remoteError(
    remote,
    error === undefined ? 'integration.forbidden' : 'integration.refused',
    `rejected this, and nothing was applied: ${why}`,
    { code: error === undefined ? 'access.denied' : 'deploy.invalid', details: plan.findings.slice(0, 50) },
  )
}

async function send(deps: RemotesDeps, run: JobRun): Promise<void> {
  const work = deployWork(run)
  const { plan } = run.job
  if (run.isReadOnly)
    throw interruptionError(run, 'integration.connection_lost', 'Nothing was sent. Resume the job.')
  if (plan !== null && plan.refused) throw refusedPlanError(run)
  work.attempts += 1
  work.phase = 'sent'
  await run.save()
  try {
    await sendOnce(deps, run)
    await run.save()
  } catch (error) {
    if (refusalOf(error)?.code === 'deploy.approval_required' && !work.asRequest) {
      work.asRequest = true
      work.phase = 'send'
      return
    }
    // Cancelled during the transfer: it may have arrived, and is looked up before it is sent again.
    if (run.signal.aborted) throw error
    if (!isUnknown(error, work.attempts)) {
      work.phase = 'send'
      throw error
    }
    await confirmOutcome(run, error)
  }
}

async function sendOnce(deps: RemotesDeps, run: JobRun): Promise<void> {
  const { client, correlationId, job } = run
  const work = deployWork(run)
  const { push, going, base, changeDigest, rollbackTo, title, applyOn, asRequest } = work
  const applyFields = {
    rationale: job.rationale,
    ...(changeDigest === null ? {} : { base, changeDigest }),
    ...(asRequest ? { title, ...(applyOn === null ? {} : { applyOn }) } : {}),
  }
  if (push === null) {
    const back = { generation: rollbackTo!, ...applyFields }
    run.reportStep('send')
    if (asRequest) {
      const body = Buffer.from(JSON.stringify(back))
      return recordRequest(run, await client.createRequest(() => one(body), correlationId))
    }
    const applied = await client.rollback({ generation: rollbackTo!, ...applyFields }, correlationId)
    return recordOutcome(run, applied.generation, sum(applied.counts))
  }
  const local = await loadLocalState(deps, run.by, push.local)
  const list = streamChangeList(local, going, applyFields, (done) =>
    run.reportStep('send', done, going.length),
  )
  run.reportStep('send', 0, going.length)
  if (asRequest) return recordRequest(run, await client.createRequest(list, correlationId))
  const applied = await client.apply(list, correlationId)
  return recordOutcome(run, applied.generation, sum(applied.counts))
}

async function* one(piece: Uint8Array): AsyncGenerator<Uint8Array> {
  yield piece
}

function recordOutcome(run: JobRun, generation: number, changes: number): void {
  run.job.outcome = { generation, changes, fetched: 0 }
  deployWork(run).phase = 'finish'
}

function recordRequest(run: JobRun, request: RemoteChangeRequest): void {
  deployWork(run).phase = 'request'
  updateRequest(run, request)
}

function updateRequest(
  { job }: JobRun,
  { id, state, approvals, requiredApprovals, applyOn }: RemoteChangeRequest,
): void {
  job.request = {
    id,
    state,
    approvals: approvals.filter(({ counts }) => counts).length,
    required: requiredApprovals,
    applyOn,
  }
}

/** Whether the remote may have done it anyway: the response is missing, unreadable, or an internal error. */
function isUnknown(error: unknown, attempts: number): boolean {
  if (isTransient(error)) return true
  const refusal = refusalOf(error)
  if (refusal === null) return false
  const { code } = error as AlmanacError
  if (code === 'integration.unreadable' || code === 'integration.too_large') return true
  if (refusal.status !== null && refusal.status >= 500) return true
  // An earlier attempt may have made it stale.
  return attempts > 1 && (refusal.code === 'conflict.stale_plan' || refusal.code === 'conflict.exists')
}

/**
 * Looks up whether the sent change list arrived, and sets the phase: `finish` or `request` if it did, `send` if it did
 * not. @throws Interrupted if that is unknown, or if sending again was not requested
 */
async function confirmOutcome(run: JobRun, why?: unknown): Promise<void> {
  const work = deployWork(run)
  run.reportStep('confirm')
  let exists: boolean
  try {
    exists = work.asRequest ? await findOwnRequest(run) : await findOwnGeneration(run)
  } catch (error) {
    if (!isTransient(error)) throw error
    throw interruptionError(
      run,
      'integration.outcome_unknown',
      'It is not known whether the change list was applied on the remote. Resume the job: it checks first, so nothing is applied twice.',
      error,
    )
  }
  if (exists) return run.save()
  work.phase = 'send'
  await run.save()
  if (!run.isReadOnly && work.attempts < maxAttempts) return
  throw interruptionError(
    run,
    'integration.connection_lost',
    'The change list was not applied on the remote. Resume the job to send it again.',
    why,
  )
}

async function findOwnGeneration(run: JobRun): Promise<boolean> {
  const since = await generationsSince(run.client, deployWork(run).base)
  const ours = since.find(({ correlationId }) => correlationId === run.correlationId)
  if (ours === undefined) return false
  recordOutcome(run, ours.generation, sum(ours.counts))
  return true
}

async function findOwnRequest(run: JobRun): Promise<boolean> {
  const { changeDigest, rollbackTo } = deployWork(run)
  const { me } = await run.client.facts()
  const requests = await run.client.requestsOf(me.key)
  const ended = ['rejected', 'withdrawn']
  const ours = requests.find(
    ({ id, digest, state, ...request }) =>
      id === run.job.request?.id ||
      (!ended.includes(state) &&
        (changeDigest === null
          ? request.rollbackTo === rollbackTo
          : (request.changeDigest ?? digest) === changeDigest)),
  )
  if (ours === undefined) return false
  recordRequest(run, ours)
  return true
}

function interruptionError(
  { remote }: JobRun,
  code: 'integration.outcome_unknown' | 'integration.connection_lost',
  words: string,
  cause?: unknown,
): InterruptedError {
  const first = cause instanceof AlmanacError ? `${cause.message} ` : ''
  return new InterruptedError(
    new AlmanacError(code, `${first}${words}`, {
      cause,
      origin: `remote:${remote.key}`,
      details: cause instanceof AlmanacError ? cause.details : [],
    }),
  )
}

/** Whether the change request has ended there; otherwise it waits. */
async function followRequest(run: JobRun): Promise<boolean> {
  const { client, job, remote } = run
  run.reportStep('approval')
  const request = await client.request(job.request!.id)
  updateRequest(run, request)
  switch (request.state) {
    case 'open':
    case 'approved':
      return false
    case 'failed':
      job.problem = {
        code: 'integration.refused',
        detail: `The change request could not be applied on its date: ${request.failure?.message ?? ''}`,
        origin: `remote:${remote.key}`,
        remoteCode: null,
        retriable: false,
      }
      return false
    case 'rejected':
    case 'withdrawn':
      throw remoteError(
        remote,
        'integration.refused',
        `has ${request.state} the change request, so nothing was applied.`,
        {
          code: 'conflict.request_state',
        },
      )
    case 'applied':
      recordOutcome(run, request.generation ?? deployWork(run).base, job.plan?.total ?? 0)
      return true
  }
}

/** Applies an approved change request there. */
export async function applyApprovedRequest(run: JobRun): Promise<void> {
  const { client, job, correlationId } = run
  run.reportStep('send')
  const { digest } = await client.request(job.request!.id)
  try {
    const { generation, counts, request } = await client.applyRequest(job.request!.id, digest, correlationId)
    updateRequest(run, request)
    recordOutcome(run, generation, sum(counts))
  } catch (error) {
    // It may be applied anyway, or still wait; its state is requested next.
    if (!isUnknown(error, 1)) job.problem = problemOf(error, run.remote.key)
  }
}

async function finish(deps: RemotesDeps, run: JobRun): Promise<JobEnd> {
  const work = deployWork(run)
  await recordDeploy(deps, run)
  await run.save()
  try {
    const before = (await readListing(deps, run.remote.key, 'listed')) ?? null
    const { listed } = await refreshListing(deps, run)
    run.reportStep('finish')
    // A rollback touches what differs from the state before.
    const touched = work.push !== null || before === null ? work.going : await listDifferences(before, listed)
    await advanceLastSeen(deps, run, before ?? listed, listed, touched)
    return 'done'
  } catch (error) {
    if (!isTransient(error)) throw error
    throw interruptionError(
      run,
      'integration.connection_lost',
      `The change list was applied on the remote, as generation ${run.job.outcome?.generation}. Only the last comparison failed; resume the job to repeat it.`,
      error,
    )
  }
}

/** The audit there records what changed; the one here records who did it from here. */
async function recordDeploy({ write, clock }: RemotesDeps, run: JobRun): Promise<void> {
  const work = deployWork(run)
  if (work.noted) return
  const { id, kind, rationale, outcome, request } = run.job
  await write((transactor) =>
    recordAudit(transactor, run.by, clock.now(), {
      component: `remote/${run.remote.key}`,
      kind: kind === 'push' ? 'remote.pushed' : 'remote.rolled_back',
      before: null,
      after: { job: id, generation: outcome?.generation ?? null, request: request?.id ?? null },
      rationale,
    }),
  )
  work.noted = true
}

function sum({
  added,
  changed,
  renamed,
  removed,
}: Record<'added' | 'changed' | 'renamed' | 'removed', number>): number {
  return added + changed + renamed + removed
}
