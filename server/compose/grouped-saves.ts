// Saves of concurrent requests commit together, because each commit waits for the disk. A large one commits alone, and the
// next one is computed in that time. Users take turns, so that the large requests of one delay the others only by one at a
// time.
import type { WriteQueue } from '../pipeline/index.ts'
import {
  isLarge,
  type CommandOutcome,
  type RecordCommand,
  type RecordReply,
  type SavedCommand,
} from '../records/index.ts'
import { tooBusy } from './too-busy.ts'

/** Most commands that are sent for one group. */
const maxGroup = 64

/** Large commands that are sent before other writers that wait have a turn. */
const largePerTurn = 4

/** After this time of large commands, in milliseconds, other writers that wait have a turn sooner. */
const maxTurnMs = 500

/** Most commands of a user that wait at once. */
const maxWaiting = 256

interface Waiting<K> {
  command: K
  /** When it was sent, of a clock that never goes back. */
  since: number
  reply: PromiseWithResolvers<{ reply: RecordReply; position: number }>
}

/** Commands that wait, by user. The user whose turn it is comes first. */
class SaveQueue<K extends RecordCommand> {
  readonly #waiting = new Map<string, Waiting<K>[]>()
  #added = Promise.withResolvers<void>()

  get isEmpty(): boolean {
    return this.#waiting.size === 0
  }

  /** Resolves with the next command that is added. */
  get added(): Promise<void> {
    return this.#added.promise
  }

  /** Removes all, and rejects those that are not running. */
  clear(error: Error, running: readonly Waiting<K>[]): void {
    for (const each of [...this.#waiting.values()].flat())
      if (!running.includes(each)) each.reply.reject(error)
    this.#waiting.clear()
  }

  /** @throws AlmanacError `limit.busy` */
  add(each: Waiting<K>): void {
    const { user } = each.command
    const own = this.#waiting.get(user)
    if (own === undefined) this.#waiting.set(user, [each])
    else if (own.length < maxWaiting) own.push(each)
    else throw tooBusy(maxWaiting)
    this.#added.resolve()
    this.#added = Promise.withResolvers()
  }

  /** The next commands: those of each user in their order, one of each user in turn. A large one is alone. */
  next(): Waiting<K>[] {
    const found: Waiting<K>[] = []
    const queues = [...this.#waiting.values()]
    for (let at = 0; queues.some((queue) => at < queue.length); at += 1)
      for (const queue of queues) {
        const next = queue[at]
        if (next === undefined) continue
        if (isLarge(next.command)) return found.length === 0 ? [next] : found
        found.push(next)
        if (found.length === maxGroup) return found
      }
    return found
  }

  /** @param handled the first ones of `next`; some may have been removed */
  remove(handled: readonly Waiting<K>[]): void {
    for (const each of handled) {
      const { command } = each
      const waiting = this.#waiting.get(command.user)
      if (waiting?.[0] !== each) continue
      const [, ...rest] = waiting
      // At the end: all other users have their turns first.
      this.#waiting.delete(command.user)
      if (rest.length > 0) this.#waiting.set(command.user, rest)
    }
  }
}

/** A command with its outcome, and how long it took since it was sent. */
export interface SavedOne {
  command: RecordCommand
  outcome: CommandOutcome
  ms: number
}

/** Receives what became of the commands of a group. */
export type OnSaved = (saves: readonly SavedOne[]) => void

export interface GroupedSaves<K extends RecordCommand> {
  save<C extends K>(command: C): Promise<SavedCommand<C>>
  /** Rejects the commands that wait, and all later ones. Those that are running are answered. */
  refuse(error: Error): void
}

/**
 * @param group runs the first commands of a list, one at least, and returns their outcomes
 * @param onSaved called after each group
 */
export function groupedSaves<K extends RecordCommand>(
  writeQueue: Pick<WriteQueue, 'run' | 'isWanted'>,
  group: (commands: readonly K[]) => Promise<CommandOutcome[]>,
  onSaved: OnSaved,
): GroupedSaves<K> {
  const queue = new SaveQueue<K>()
  let isRunning = false
  let refusal: Error | null = null
  /** The group that is running, while its commands are in the queue. */
  let sentGroup: readonly Waiting<K>[] = []

  const runGroup = async (sent: readonly Waiting<K>[]): Promise<void> => {
    try {
      const outcomes = await group(sent.map(({ command }) => command))
      queue.remove(sent.slice(0, outcomes.length))
      if (refusal !== null) for (const { reply } of sent.slice(outcomes.length)) reply.reject(refusal)
      for (const [index, outcome] of outcomes.entries())
        if (outcome.ok) sent[index]!.reply.resolve({ reply: outcome.reply, position: outcome.position })
        else sent[index]!.reply.reject(outcome.error)
      const now = performance.now()
      onSaved(
        outcomes.map((outcome, index) => {
          const { command, since } = sent[index]!
          return { command, outcome, ms: now - since }
        }),
      )
    } catch (error) {
      queue.remove(sent)
      for (const { reply } of sent) reply.reject(error)
    }
  }
  const runTurn = async (): Promise<void> => {
    const running = new Set<Promise<void>>()
    const until = performance.now() + maxTurnMs
    for (let count = 0; ; count += 1) {
      // A job sends its next batch while the last one is being written.
      while (queue.isEmpty && running.size > 0) await Promise.race([...running, queue.added])
      const isOver = count >= largePerTurn || performance.now() > until
      if (queue.isEmpty || (isOver && writeQueue.isWanted)) break
      const sent = queue.next()
      if (!isLarge(sent[0]!.command)) {
        if (running.size === 0) await runGroup((sentGroup = sent))
        sentGroup = []
        break
      }
      queue.remove(sent)
      const group = runGroup(sent).finally(() => running.delete(group))
      running.add(group)
      if (running.size === 2) await Promise.race(running)
    }
    await Promise.all(running)
  }
  const run = async (): Promise<void> => {
    isRunning = true
    // Other writers take their turns between the groups.
    while (!queue.isEmpty) await writeQueue.run(runTurn)
    isRunning = false
  }
  return {
    save: async (command) => {
      if (refusal !== null) throw refusal
      const reply = Promise.withResolvers<{ reply: RecordReply; position: number }>()
      queue.add({ command, reply, since: performance.now() })
      if (!isRunning) void run()
      return reply.promise as Promise<SavedCommand<typeof command>>
    },
    refuse: (error) => {
      refusal = error
      queue.clear(error, sentGroup)
    },
  }
}
