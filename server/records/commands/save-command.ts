// A request to save records as plain data, and its reply: both cross between threads, and the reply is kept for a repeated
// request with the same idempotency key.
import { objectKeyOf } from '#kernel/components/object/object-named.ts'
import type { ScopePath } from '#kernel/components/scopes.ts'
import { AlmanacError } from '#kernel/errors/almanac-error.ts'
import type { RecordAccess } from '../../access/index.ts'
import type { RecordTransactor, StoredRecord } from '../../ports/record-store.ts'
import type { RecordDeps } from '../deps.ts'
import { fullProjection } from '../read/projection.ts'
import { visibleObject, type RecordCaller } from '../read/record-caller.ts'
import type { RecordJson } from '#wire/records.ts'
import { recordsJson, visibleViews } from '../read/record-json.ts'
import { isOfRequest, saveInTransaction, type SaveOutcome } from '../saves.ts'
import { requestItem, type CommandItem } from './command-item.ts'
import { shownReply } from './shown-reply.ts'
import { runOnce, type Idempotency } from './run-once.ts'
import type { ItemReply, SaveReply } from './save-reply.ts'

export interface SaveCommand {
  /** The generation that was active when the request arrived. */
  generation: number
  user: string
  correlationId: string
  scopePath: ScopePath
  items: readonly CommandItem[]
  /** The registered client of the request. */
  client?: string | null
  allOrNone: boolean
  /** Whether the reply contains each record, or only its id and version. */
  reply: 'records' | 'ids'
  idempotency?: Idempotency | undefined
}

export type AccessOf = (user: string, generation: number, scopePath: ScopePath) => RecordAccess

export interface CommandDeps extends RecordDeps {
  accessOf: AccessOf
}

/**
 * Runs a command within a transaction. Nothing of it is left if it throws.
 * @throws AlmanacError `limit.save_deadline`, `org.busy`, `storage.*`, `conflict.idempotency_key`
 */
export function runCommand(
  deps: CommandDeps,
  tx: RecordTransactor,
  command: SaveCommand,
): Promise<SaveReply> {
  return runOnce(deps, tx, command.idempotency, () => saveItems(deps, tx, command), {
    // A request that saved nothing can be repeated.
    isKept: ({ results }) => results.some(({ ok }) => ok),
    again: (reply) => shownReply(callerOf(deps, command), tx, reply),
  })
}

function callerOf(deps: CommandDeps, { generation, user, scopePath }: SaveCommand): RecordCaller {
  const access = deps.accessOf(user, generation, scopePath)
  return { present: deps.snapshots.at(generation), scopePath, access }
}

async function saveItems(deps: CommandDeps, tx: RecordTransactor, command: SaveCommand): Promise<SaveReply> {
  const { generation, user, scopePath, items, allOrNone, correlationId } = command
  const caller = callerOf(deps, command)
  const { access } = caller
  let failing = 0
  try {
    return await tx.savepoint(async () => {
      const outcomes = await saveInTransaction(deps, tx, {
        ...{ generation, actor: user, access, correlationId, scopePath, allOrNone },
        items: items.map(requestItem),
        begin: (index) => (failing = index),
      })
      const results: ItemReply[] = []
      for (const [index, outcome] of outcomes.entries())
        results.push(await replyOf(caller, tx, items[index]!, outcome, command.reply))
      return { results }
    })
  } catch (error) {
    if (!allOrNone || !(error instanceof AlmanacError) || isOfRequest(error)) throw error
    return { results: items.map((_item, index) => refusedItem(index === failing ? error : undone(failing))) }
  }
}

function undone(failing: number): AlmanacError {
  return new AlmanacError(
    'record.batch_undone',
    `Not saved, because item ${failing} failed and the request has "allOrNone".`,
  )
}

function refusedItem({ code, message, details }: AlmanacError): ItemReply {
  return { ok: false, error: { code, message, details } }
}

async function replyOf(
  caller: RecordCaller,
  tx: RecordTransactor,
  item: CommandItem,
  outcome: SaveOutcome,
  reply: SaveCommand['reply'],
): Promise<ItemReply> {
  if (!outcome.ok) return refusedItem(outcome.error)
  const { id, record } = outcome
  if (record === null) return { ok: true, op: 'delete', id: id!, version: null }
  const saved = {
    ok: true,
    op: id === null ? 'insert' : item.op === 'recompute' ? 'recompute' : 'update',
    id: record.id,
    version: record.version,
  } as const
  return reply === 'ids' ? saved : { ...saved, record: await shownRecord(caller, tx, item.object, record) }
}

/** A user can save a record that the user cannot see. */
async function shownRecord(
  caller: RecordCaller,
  tx: RecordTransactor,
  name: string,
  record: StoredRecord,
): Promise<RecordJson | null> {
  const object = objectKeyOf(caller.present.view, name)!
  if ((await visibleViews(caller, tx, object, [record])).size === 0) return null
  const programs = visibleObject(caller, object)
  const [json] = await recordsJson(caller, tx, object, [record], fullProjection(programs))
  return json!
}
