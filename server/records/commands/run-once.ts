// Runs a request with an idempotency key once: a repeated one gets the kept reply.
import { AlmanacError } from '#kernel/errors/almanac-error.ts'
import type { Clock } from '../../ports/clock.ts'
import { emptyReply } from '../../ports/record-erasures.ts'
import type { RecordTransactor } from '../../ports/record-store.ts'

/** The key of a repeatable request, with a digest of the request. */
export interface Idempotency {
  caller: string
  key: string
  request: string
}

/** How long a reply is kept for its key, in milliseconds. */
const replyMs = 24 * 60 * 60 * 1000

/** Replies of before this instant are not kept any more. @param now ISO 8601 instant */
export const replyAge = (now: string): string => new Date(Date.parse(now) - replyMs).toISOString()

interface RepeatOptions<T> {
  /** Whether a repeated request gets this reply. */
  isKept?: (reply: T) => boolean
  /** Returns a kept reply as the caller can see it now. */
  again?: (reply: T) => Promise<T>
}

/**
 * Returns the reply of the work, or the one that was kept for the key.
 *
 * @param work leaves nothing if it throws
 * @throws AlmanacError `conflict.idempotency_key`, `record.erased`, and those of the work
 */
export async function runOnce<T>(
  deps: { clock: Clock },
  tx: RecordTransactor,
  idempotency: Idempotency | undefined,
  work: () => Promise<T>,
  { isKept = () => true, again = async (reply) => reply }: RepeatOptions<T> = {},
): Promise<T> {
  if (idempotency === undefined) return work()
  const kept = await keptReply(deps, tx, idempotency)
  if (kept !== null) return again(JSON.parse(kept) as T)
  return tx.savepoint(async () => {
    const reply = await work()
    if (isKept(reply)) await keepReply(deps, tx, idempotency, reply)
    return reply
  })
}

async function keptReply(
  { clock }: { clock: Clock },
  tx: RecordTransactor,
  { caller, key, request }: Idempotency,
): Promise<string | null> {
  const kept = await tx.keptReply(caller, key)
  if (kept === undefined || kept.at < replyAge(clock.now())) return null
  if (kept.request !== request)
    throw new AlmanacError(
      'conflict.idempotency_key',
      `The Idempotency-Key "${key}" was used for a different request. Use a new key for each request.`,
    )
  if (kept.reply === emptyReply)
    throw new AlmanacError(
      'record.erased',
      `The request with the Idempotency-Key "${key}" was processed, but its reply contained values that were erased since.`,
    )
  return kept.reply
}

export async function keepReply(
  { clock }: { clock: Clock },
  tx: RecordTransactor,
  { caller, key, request }: Idempotency,
  reply: unknown,
): Promise<void> {
  const at = clock.now()
  await tx.keepReply({ caller, key, request, at, reply: JSON.stringify(reply) }, replyAge(at))
}

/** A repeated request is refused. */
export const keepErased = (
  deps: { clock: Clock },
  tx: RecordTransactor,
  idempotency: Idempotency,
): Promise<void> => keepReply(deps, tx, idempotency, JSON.parse(emptyReply))
