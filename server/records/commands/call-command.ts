// A call of an operation as plain data, and its reply, as those of saves.
import type { ScopePath } from '#kernel/components/scopes.ts'
import type { OperationResult } from '#wire/records.ts'
import type { RecordTransactor } from '../../ports/record-store.ts'
import type { SentInput } from '../call/call-input.ts'
import { callableOperation } from '../call/operations.ts'
import {
  continueOperation,
  startOperation,
  type CallReply,
  type CallStep,
  type UnfinishedReply,
} from '../call/operation-run.ts'
import { runOnce, type Idempotency } from './run-once.ts'
import type { CommandDeps } from './save-command.ts'

export type { CallReply } from '../call/operation-run.ts'

export interface CallCommand extends SentInput {
  operation: string
  /** The generation that was active when the request arrived. */
  generation: number
  user: string
  correlationId: string
  scopePath: ScopePath
  /** The registered client of the request. */
  client?: string | null
  idempotency?: Idempotency | undefined
}

/** What became of a callout of a call. */
export type CallStepCommand = CallStep & Pick<CallCommand, 'user' | 'correlationId' | 'generation' | 'client'>

/**
 * Runs a call within a transaction, up to its next callout. Nothing of it is left if it throws.
 * @throws AlmanacError `operation.not_found`, `request.invalid`, `config.as_of_required`, `record.invalid`,
 * `conflict.idempotency_key`, `conflict.operation_running`, `integration.outcome_unknown`, `limit.save_*`, `storage.*`
 */
export function runCall(deps: CommandDeps, tx: RecordTransactor, command: CallCommand): Promise<CallReply> {
  const { operation: key, generation, user, scopePath, idempotency = null } = command
  const access = deps.accessOf(user, generation, scopePath)
  const operation = callableOperation({ present: deps.snapshots.at(generation), access }, key)
  // A repeated call gets its reply even if the parameters have changed since.
  return runOnce<CallReply>(
    deps,
    tx,
    command.idempotency,
    () => startOperation(deps, tx, operation, { ...command, idempotency }),
    {
      // The operation keeps its reply itself, with each part that it commits.
      isKept: () => false,
      again: async (reply) => {
        const kept = reply as OperationResult | UnfinishedReply
        return 'run' in kept ? continueOperation(deps, tx, kept.run) : kept
      },
    },
  )
}
