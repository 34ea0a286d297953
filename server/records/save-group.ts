// Commands that commit together: one transaction, and each command is undone alone if it fails.
import { isStorageFailure } from '#kernel/errors/storage-failure.ts'
import type { RecordStore, RecordTransactor } from '../ports/record-store.ts'
import { runCall, type CallCommand, type CallReply, type CallStepCommand } from './commands/call-command.ts'
import { stepOperation } from './call/operation-run.ts'
import {
  runDispatch,
  runDispatchStep,
  type DispatchCommand,
  type DispatchReply,
  type DispatchStepCommand,
} from './commands/dispatch-command.ts'
import { runIngest, type IngestCommand, type IngestReply } from './commands/ingest-command.ts'
import { runPublish, type PublishCommand, type PublishReply } from './commands/publish-command.ts'
import { runCommand, type CommandDeps, type SaveCommand } from './commands/save-command.ts'
import type { SaveReply } from './commands/save-reply.ts'
import { isMany } from './saves.ts'

export type RecordCommand =
  | SaveCommand
  | CallCommand
  | CallStepCommand
  | IngestCommand
  | PublishCommand
  | DispatchCommand
  | DispatchStepCommand
export type RecordReply = SaveReply | CallReply | IngestReply | PublishReply | DispatchReply
export type ReplyTo<C extends RecordCommand> = C extends SaveCommand
  ? SaveReply
  : C extends IngestCommand
    ? IngestReply
    : C extends PublishCommand
      ? PublishReply
      : C extends DispatchCommand | DispatchStepCommand
        ? DispatchReply
        : CallReply

export type CommandOutcome<R extends RecordReply = RecordReply> =
  /** `position` of the records after the save; `hasJob` if it left work to a job, or a call; `hasEvents` if it left events. */
  | { ok: true; reply: R; position: number; hasJob: boolean; hasEvents: boolean }
  | { ok: false; error: unknown }

/** Whether a command is a group of its own. */
export const isLarge = (command: RecordCommand): boolean =>
  'ingest' in command || ('items' in command && isMany(command.items))

/** How long a group takes commands, in milliseconds: the first one waits for the last one. */
const groupMs = 5

/**
 * Runs commands until the time of a group is used up, the first one in any case. Returns the outcomes of those that ran.
 * @param onSent see `RecordStore.writeMany`
 * @throws AlmanacError `org.busy`, `storage.*`: none of them was saved
 */
export function saveGroup<C extends RecordCommand>(
  deps: CommandDeps,
  commands: readonly C[],
  elapsed: () => number,
  onSent?: () => void,
): Promise<CommandOutcome<ReplyTo<C>>[]> {
  const until = elapsed() + groupMs
  const [first] = commands
  const write: RecordStore['write'] = (work) =>
    first !== undefined && isLarge(first) ? deps.store.writeMany(work, onSent) : deps.store.write(work)
  return write(async (transactor) => {
    const outcomes: CommandOutcome<ReplyTo<C>>[] = []
    let [hasJob, hasEvents] = [false, false]
    const tx: RecordTransactor = {
      ...transactor,
      append: (effect, call) => {
        hasJob ||= call !== undefined
        return transactor.append(effect, call)
      },
      putJob: (job) => {
        hasJob = true
        return transactor.putJob(job)
      },
      publish: (event) => {
        hasEvents = true
        return transactor.publish(event)
      },
      appendChange: (change) => {
        hasEvents ||= change.channels !== undefined
        return transactor.appendChange(change)
      },
    }
    for (const command of commands) {
      hasJob = hasEvents = false
      // Those before it would wait for all of its records.
      if (outcomes.length > 0 && (elapsed() > until || isLarge(command))) break
      try {
        const reply = await replyTo(deps, tx, command)
        outcomes.push({
          ok: true,
          reply: reply as ReplyTo<C>,
          position: await tx.position(),
          hasJob,
          hasEvents,
        })
      } catch (error) {
        if (isStorageFailure(error)) throw error
        outcomes.push({ ok: false, error })
      }
    }
    return outcomes
  })
}

function replyTo(deps: CommandDeps, tx: RecordTransactor, command: RecordCommand): Promise<RecordReply> {
  if ('ingest' in command) return runIngest(deps, tx, command)
  if ('publish' in command) return runPublish(deps, tx, command)
  if ('operation' in command) return runCall(deps, tx, command)
  if ('dispatch' in command) return runDispatch(deps, tx, command)
  if ('run' in command)
    return 'delivery' in command ? runDispatchStep(deps, tx, command) : stepOperation(deps, tx, command)
  return runCommand(deps, tx, command)
}
