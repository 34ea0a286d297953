// Whether an attempt may be made now: grant, breaker, budget. Then it is sent, and the breaker learns how it ended.
import { CalloutFault, type TransportResponse } from '../ports/callout-transport.ts'
import type { AttemptPlan, AttemptResult } from './attempt-plan.ts'
import type { BreakerRefusal } from './breaker-view.ts'
import type { BreakerWatch } from './breaker-watch.ts'
import type { BudgetPermit, BudgetRefusal, BudgetShare } from './budget-share.ts'
import { calloutError } from './callout-error.ts'
import type { CalloutsDeps } from './deps.ts'
import { endpointOf } from './callout-request.ts'
import { redactResponse } from './redact-response.ts'
import { toUtf8 } from './response-charset.ts'
import { judgeExchange, signRequest, transportRequestOf } from './attempt-steps.ts'

/** What this process knows of a named credential. */
export interface CredentialState {
  breaker: BreakerWatch
  budget: BudgetShare
}

/** What authentication and counting can take, besides the exchange itself. */
const preparationMs = 15_000
/** A breaker that only an administrator can close is asked again after this time. */
const forcedOpenRetryMs = 30_000

export async function makeAttempt(
  deps: CalloutsDeps,
  state: CredentialState,
  plan: AttemptPlan,
): Promise<AttemptResult> {
  const { credential, actor, correlationId } = plan.call
  const check = deps.grants.check(credential, actor)
  const denial = check instanceof Promise ? await check : check
  if (denial !== null) return grantRefusal(plan, denial)
  const policy = credential.body.circuitBreaker
  const longestMs = plan.timeoutMs + preparationMs
  const admission = state.breaker.admit(policy, longestMs, correlationId)
  const pass = admission instanceof Promise ? await admission : admission
  if (!('token' in pass)) return breakerRefusal(plan, pass)
  let permit: BudgetPermit | null = null
  let health: AttemptResult['health'] = 'none'
  try {
    const share = state.budget.take(credential.body.budget, longestMs)
    const taken = share instanceof Promise ? await share : share
    if (!('release' in taken)) return budgetRefusal(plan, taken)
    permit = taken
    const { timer, clock } = deps
    // The exchange ends by then, however long the preparation takes.
    const deadline = timer.elapsedMs() + longestMs
    const signing = signRequest(deps, plan)
    const signed = signing instanceof Promise ? await signing : signing
    if ('kind' in signed) return signed
    const { call, n } = plan
    const [at, endpoint] = [clock.now(), endpointOf(call)]
    if (call.onAttempt !== undefined) await call.onAttempt({ n, at, endpoint })
    const startedAt = timer.elapsedMs()
    const timeoutMs = Math.min(plan.timeoutMs, deadline - startedAt)
    let end: TransportResponse | CalloutFault
    // One function for all that waits: each one more costs every call.
    try {
      if (timeoutMs <= 0) throw new CalloutFault('timeout', 'no time left to send it', false)
      end = redactResponse(
        toUtf8(await deps.transport.send(transportRequestOf(plan, signed, timeoutMs))),
        signed.redact,
      )
    } catch (error) {
      if (!(error instanceof CalloutFault)) throw error
      end = error
    }
    const latencyMs = Math.round(timer.elapsedMs() - startedAt)
    const result = judgeExchange(clock, plan, signed, end, { n, at, endpoint, latencyMs })
    health = result.health
    return result
  } finally {
    permit?.release()
    // A report that cannot be written must not hide the result; the lease of a probe ends all the same.
    if (health === 'failure' || pass.token !== null)
      await state.breaker.report(pass, health, policy, correlationId).catch(() => {})
  }
}

function grantRefusal({ call, attempts }: AttemptPlan, reason: string): AttemptResult {
  return { kind: 'refused', health: 'none', error: calloutError(call, 'access.denied', reason, { attempts }) }
}

function breakerRefusal({ call, attempts }: AttemptPlan, { retryAfterMs }: BreakerRefusal): AttemptResult {
  const words =
    retryAfterMs === null
      ? 'an administrator opened its circuit breaker, so nothing was sent; an administrator can close it'
      : `its circuit breaker is open, so nothing was sent; the next call can be tried in ${Math.ceil(retryAfterMs / 1000)} s`
  const error = calloutError(call, 'integration.breaker_open', words, { attempts, retryAfterMs })
  return { kind: 'deferred', health: 'none', error, retryInMs: retryAfterMs ?? forcedOpenRetryMs }
}

function budgetRefusal(
  { call, attempts }: AttemptPlan,
  { lacks, retryAfterMs }: BudgetRefusal,
): AttemptResult {
  const { concurrency, requestsPerMinute } = call.credential.body.budget
  const words =
    lacks === 'requests'
      ? `its ${requestsPerMinute} requests per minute are used, so nothing was sent; try again later, or raise its budget`
      : `its limit of ${concurrency} ${concurrency === 1 ? 'call' : 'calls'} at the same time is reached, so nothing was sent; try again, or raise its budget`
  const error = calloutError(call, 'limit.callout_budget', words, { attempts, retryAfterMs })
  return { kind: 'deferred', health: 'none', error, retryInMs: retryAfterMs }
}
