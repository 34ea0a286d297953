// The commands of the command line, in the order of the help.
import type { CommandDefinition } from './command-definition.ts'
import { configurationCommands } from './definitions/configuration.ts'
import { generationsCommands } from './definitions/generations.ts'
import { orgCommands } from './definitions/org.ts'
import { peopleCommands } from './definitions/people.ts'
import { recordsCommands } from './definitions/records.ts'
import { remotesCommands } from './definitions/remotes.ts'
import { requestsCommands } from './definitions/requests.ts'
import { resultsCommands } from './definitions/results.ts'

/** The options of every command. */
export const commonOptions: CommandDefinition['options'] = [
  ['--org <dir or URL>', 'org folder or server URL; default ALMANAC_ORG, then this folder'],
  ['--as <user>', 'act as this user'],
  ['--token <token>', 'bearer token for a URL; default ALMANAC_TOKEN'],
  ['--json', 'print the result as JSON to stdout'],
]

export const commands: readonly CommandDefinition[] = [
  ...configurationCommands,
  ...remotesCommands,
  ...generationsCommands,
  ...requestsCommands,
  ...resultsCommands,
  ...recordsCommands,
  ...orgCommands,
  ...peopleCommands,
]
