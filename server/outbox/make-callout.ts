// Makes the callouts of operations, whose callers wait for them.
import { AlmanacError } from '#kernel/errors/almanac-error.ts'
import {
  isRepeatable,
  type CalloutFailure,
  type Callouts,
  type OutsideTransaction,
} from '../callouts/index.ts'
import type { CalloutEnd, MakeCallout } from '../records/index.ts'
import { unknownOutcome, unreadableOutcome } from './outbox-problem.ts'
import { storedCallout, storedOutcome, type CallTargets } from './stored-callout.ts'

export interface MakeCalloutDeps {
  callouts(): Pick<Callouts, 'execute'>
  capability: OutsideTransaction
  targets: CallTargets
}

export function makeCalloutWith({ callouts, capability, targets }: MakeCalloutDeps): MakeCallout {
  return async (call, { withinMs, onSending }): Promise<CalloutEnd> => {
    let canRepeat = true
    let isDelivered = false
    try {
      const callout = await storedCallout(call, {}, targets)
      canRepeat = isRepeatable(callout.method, callout.idempotencyKey?.isDeclared === true)
      const onAttempt = canRepeat ? undefined : onSending
      const response = await callouts().execute(capability, { ...callout, onAttempt }, { withinMs })
      isDelivered = true
      return { ok: true, outcome: await storedOutcome(call, response, targets) }
    } catch (cause) {
      if (!(cause instanceof AlmanacError) && !isDelivered) throw cause
      const error = cause instanceof AlmanacError ? cause : unreadableOutcome()
      if (canRepeat) return { ok: false, error, isUnknown: false }
      const [failure] = error.details as readonly Partial<CalloutFailure>[]
      const isLost = failure?.outcome === 'unknown'
      return { ok: false, error: isLost ? unknownOutcome(error) : error, isUnknown: isDelivered || isLost }
    }
  }
}
