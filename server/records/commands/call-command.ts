// A call of an operation as plain data, and its reply, as those of saves.
import type { OperationResult } from '#wire/records.ts'
import type { ScopePath } from '#kernel/components/scopes.ts'
import type { RecordTransactor } from '../../ports/record-store.ts'
import { callInput, type SentInput } from '../call/call-input.ts'
import { callOperation } from '../call/call-operation.ts'
import { callableOperation } from '../call/operations.ts'
import { saveContexts } from '../saves.ts'
import { runOnce, type Idempotency } from './run-once.ts'
import type { CommandDeps } from './save-command.ts'

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

export type CallReply = OperationResult

/**
 * Runs a call within a transaction. Nothing of it is left if it throws.
 * @throws AlmanacError `operation.not_found`, `request.invalid`, `config.as_of_required`, `record.invalid`,
 * `conflict.idempotency_key`, `limit.save_*`, `storage.*`
 */
export function runCall(deps: CommandDeps, tx: RecordTransactor, command: CallCommand): Promise<CallReply> {
  const { operation: key, generation, user, scopePath, correlationId } = command
  const access = deps.accessOf(user, generation, scopePath)
  const operation = callableOperation({ present: deps.snapshots.at(generation), access }, key)
  // A repeated call gets its reply even if the parameters have changed since.
  return runOnce(deps, tx, command.idempotency, () =>
    tx.savepoint(async () => {
      const input = callInput(operation, command)
      const request = { generation, actor: user, access, correlationId, scopePath }
      const result = await callOperation(saveContexts(deps, tx, request)(), operation, input)
      return { operation: key, generation, ...result }
    }),
  )
}
