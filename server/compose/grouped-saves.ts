// Saves of concurrent requests commit together, because each commit waits for the disk.
import type { WriteRunner } from '../pipeline/index.ts'
import type { CommandOutcome, RecordCommand, RecordReply, SavedCommand } from '../records/index.ts'

/** Most commands that are sent for one group. */
const maxGroup = 64

interface Waiting<K> {
  command: K
  reply: PromiseWithResolvers<{ reply: RecordReply; position: number }>
}

/**
 * @param group runs the first commands of a list, one at least, and returns their outcomes
 * @param onJob called after a save that left work to a job
 */
export function groupedSaves<K extends RecordCommand>(
  writeQueue: WriteRunner,
  group: (commands: readonly K[]) => Promise<CommandOutcome[]>,
  onJob: () => void,
): <C extends K>(command: C) => Promise<SavedCommand<C>> {
  const waiting: Waiting<K>[] = []
  let isRunning = false

  const runGroup = async (): Promise<void> => {
    const sent = waiting.slice(0, maxGroup)
    try {
      const outcomes = await group(sent.map(({ command }) => command))
      waiting.splice(0, outcomes.length)
      for (const [index, outcome] of outcomes.entries())
        if (outcome.ok) sent[index]!.reply.resolve({ reply: outcome.reply, position: outcome.position })
        else sent[index]!.reply.reject(outcome.error)
      if (outcomes.some((outcome) => outcome.ok && outcome.hasJob)) onJob()
    } catch (error) {
      waiting.splice(0, sent.length)
      for (const { reply } of sent) reply.reject(error)
    }
  }
  const run = async (): Promise<void> => {
    isRunning = true
    // Other writers take their turns between the groups.
    while (waiting.length > 0) await writeQueue.run(runGroup)
    isRunning = false
  }
  return (command) => {
    const reply = Promise.withResolvers<{ reply: RecordReply; position: number }>()
    waiting.push({ command, reply })
    if (!isRunning) void run()
    return reply.promise as Promise<SavedCommand<typeof command>>
  }
}
