// Runs an operation to its end: its parts are written in turn with saves, and its callouts are made between them.
import { AlmanacError } from '#kernel/errors/almanac-error.ts'
import type { OperationResult } from '#wire/records.ts'
import type { CalloutOutcome } from '#kernel/records/index.ts'
import type { CallCommand, CallReply, CallStepCommand } from '../commands/call-command.ts'
import type { PendingCallout } from './operation-run.ts'

/** How a callout ended; `isUnknown` if its target may have carried out what it must not receive again. */
export type CalloutEnd =
  { ok: true; outcome: CalloutOutcome } | { ok: false; error: unknown; isUnknown: boolean }

export interface CalloutLimits {
  /** What is left of the time of the operation, in milliseconds. */
  withinMs: number
  /** Awaited before a callout is sent that must not be repeated. If it rejects, nothing is sent. */
  onSending(): Promise<void>
}

/** Makes a callout outside of transactions. */
export type MakeCallout = (callout: PendingCallout['callout'], limits: CalloutLimits) => Promise<CalloutEnd>

export interface CalloutParts {
  makeCallout: MakeCallout
  /** In milliseconds. */
  elapsed(): number
}

export interface OperationParts extends CalloutParts {
  save(command: CallCommand | CallStepCommand): Promise<{ reply: CallReply; position: number }>
}

/** How long an operation with its callouts can take. */
const operationMs = 60_000

/** Who makes the callouts. */
type StepCaller = Pick<CallStepCommand, 'user' | 'correlationId' | 'generation' | 'client'>

/** @throws AlmanacError as `Records.call` */
export async function runOperation(
  parts: OperationParts,
  command: CallCommand,
): Promise<{ reply: OperationResult; position: number }> {
  const { save } = parts
  return makeCallouts<OperationResult>(parts, command, () => save(command), save)
}

type Saved<R> = Promise<{ reply: CallReply | R; position: number }>

/**
 * Makes the callouts of an operation between its parts, until there is a result.
 * @param begin saves the first part; `save` what follows a callout
 * @throws AlmanacError as `Records.call`
 */
export async function makeCallouts<R extends object>(
  { makeCallout, elapsed }: CalloutParts,
  { user, correlationId, generation, client }: StepCaller,
  begin: () => Saved<R>,
  save: (step: CallStepCommand) => Saved<R>,
): Promise<{ reply: R; position: number }> {
  const until = elapsed() + operationMs
  let saved = await begin()
  for (;;) {
    const { reply, position } = saved
    if ('failure' in reply)
      throw new AlmanacError(reply.failure.code, reply.failure.message, { details: reply.failure.details })
    if ('noted' in reply) throw new Error('An operation has no result.')
    if (!('callout' in reply)) return { reply: reply as R, position }
    const { run, token, callout, isHiddenTarget } = reply
    const step = { run, token, user, correlationId, generation, client }
    const end = await makeCallout(callout, {
      withinMs: until - elapsed(),
      onSending: async () => void (await save({ ...step, kind: 'sending' })),
    })
    if (!end.ok) {
      await save({ ...step, kind: 'failed', isUnknown: end.isUnknown })
      throw isHiddenTarget ? withoutTarget(end.error) : end.error
    }
    saved = await save({ ...step, kind: 'returned', outcome: end.outcome })
  }
}

/** The named credential and its URL would show a value of configuration to a caller who cannot read it. */
function withoutTarget(error: unknown): unknown {
  if (!(error instanceof AlmanacError)) return error
  const { code, kind, details, retryAfter, origin } = error
  const [failure] = details as readonly { reason?: string }[]
  const detail = failure?.reason === undefined ? `${kind.title}.` : `The call failed: ${failure.reason}.`
  return new AlmanacError(code, detail, { retryAfter, ...(origin !== undefined && { origin }) })
}
