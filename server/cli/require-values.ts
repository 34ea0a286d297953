// Refuses empty values: usually a shell variable is not set, and an empty path would mean the current folder.
import type { Command } from 'commander'
import { UsageError } from './fail.ts'
import type { CommandDefinition } from './command-definition.ts'

/** Options whose value may be empty; the command checks it. */
const mayBeEmpty: ReadonlySet<string> = new Set(['org', 'key', 'rationale', 'comment', 'title', 'reason'])

/** @throws UsageError naming the option without a value */
export function requireValues({ takesText }: CommandDefinition, command: Command): void {
  const empty = command.options.find(
    (option) =>
      command.getOptionValue(option.attributeName()) === '' && !mayBeEmpty.has(option.attributeName()),
  )
  if (empty === undefined && (takesText === true || !command.processedArgs.includes(''))) return
  const what = empty === undefined ? 'An argument' : empty.long
  throw new UsageError(`${what} is empty. Pass a value; check that the shell variable is set.`)
}
