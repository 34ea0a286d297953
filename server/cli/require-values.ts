// Checks the values of options and arguments against their declaration before the command runs. Refuses empty ones:
// usually a shell variable is not set, and an empty path would mean the current folder.
import type { Command } from 'commander'
import { UsageError } from './fail.ts'
import type { CommandDefinition } from './command-definition.ts'
import { checkValue, placeholderOf } from './value-kinds.ts'

/** Options whose value may be empty; the command checks it. */
const mayBeEmpty: ReadonlySet<string> = new Set(['org', 'key', 'rationale', 'comment', 'title', 'reason'])

/** @throws UsageError naming the option or argument without a value, or with one that it does not take */
export function requireValues({ takesText, usage }: CommandDefinition, command: Command): void {
  const optionValues = command.options.map((option) => ({
    option,
    name: option.long ?? option.flags,
    values: valuesOf(command.getOptionValue(option.attributeName())),
  }))
  const empty = optionValues.find(
    ({ option, values }) => values.includes('') && !mayBeEmpty.has(option.attributeName()),
  )
  if (empty !== undefined || (takesText !== true && command.processedArgs.includes('')))
    throw new UsageError(
      `${empty?.name ?? 'An argument'} is empty. Pass a value; check that the shell variable is set.`,
    )
  for (const { option, name, values } of optionValues) {
    const placeholder = placeholderOf(option.flags)
    if (placeholder !== null) for (const value of values) checkValue(placeholder, value, name)
  }
  for (const [at, argument] of usage.split(' ').entries()) {
    const value = command.processedArgs[at] as unknown
    const placeholder = placeholderOf(argument)
    if (placeholder !== null && typeof value === 'string') checkValue(placeholder, value, argument)
  }
}

/** Without the state of a flag, which takes no value. */
function valuesOf(given: unknown): string[] {
  return [given].flat().filter((value) => typeof value === 'string')
}
