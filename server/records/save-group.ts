// Commands that commit together: one transaction, and each command is undone alone if it fails.
import { AlmanacError } from '#kernel/errors/almanac-error.ts'
import { runCommand, type CommandDeps, type SaveCommand, type SaveReply } from './commands/save-command.ts'

export type CommandOutcome =
  /** `position` of the records after the save. */
  { ok: true; reply: SaveReply; position: number } | { ok: false; error: unknown }

/** How long a group takes commands, in milliseconds: the first one waits for the last one. */
const groupMs = 5

/**
 * Runs commands until the time of a group is used up, the first one in any case. Returns the outcomes of those that ran.
 * @throws AlmanacError `storage.*`: none of them was saved
 */
export function saveGroup(
  deps: CommandDeps,
  commands: readonly SaveCommand[],
  elapsed: () => number,
): Promise<CommandOutcome[]> {
  const until = elapsed() + groupMs
  return deps.store.write(async (tx) => {
    const outcomes: CommandOutcome[] = []
    for (const command of commands) {
      if (outcomes.length > 0 && elapsed() > until) break
      try {
        const reply = await tx.savepoint(() => runCommand(deps, tx, command))
        outcomes.push({ ok: true, reply, position: await tx.position() })
      } catch (error) {
        if (error instanceof AlmanacError && error.code.startsWith('storage.')) throw error
        outcomes.push({ ok: false, error })
      }
    }
    return outcomes
  })
}
