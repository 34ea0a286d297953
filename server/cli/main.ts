// The command line: commands as data, each loaded when it is called.
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { Command, CommanderError } from 'commander'
import { isAddress } from './address.ts'
import { createTerminal, type Terminal } from './terminal.ts'
import type { LocalOrg } from './local-org.ts'
import type { OrgApi } from './org-api.ts'
import type { RemoteOrg } from './remote-org.ts'
import type { Call, CommandDefinition } from './command-definition.ts'
import { commonOptions, commands } from './commands.ts'

const usageExitCode = 2

/** Runs a command and returns its exit code: 0 done, 1 failed, 2 usage error, 3 differences. */
export async function main(argv: readonly string[]): Promise<number> {
  let exit = 0
  const program = new Command('almanac')
    .description('Configuration that is right on every date.')
    .helpCommand(false)
    .showHelpAfterError('Use --help for usage.')
    .exitOverride()
  for (const definition of commands) addCommand(program, definition, (code) => (exit = code))
  try {
    await program.parseAsync(splitPairs(argv), { from: 'user' })
    return exit
  } catch (error) {
    if (error instanceof CommanderError)
      return error.exitCode === 0
        ? 0
        : await usageError(error.message, createTerminal(argv.includes('--json')))
    throw error
  }
}

function addCommand(program: Command, definition: CommandDefinition, done: (exit: number) => void): void {
  const words = definition.name.split(' ')
  let parent = program
  for (const word of words.slice(0, -1))
    parent =
      parent.commands.find((command) => command.name() === word) ??
      parent.command(word).description(`commands for ${word.endsWith('s') ? word : `${word}s`}`)
  const command = parent
    .command(`${words.at(-1)!} ${definition.usage}`.trim())
    .description(definition.summary)
    .exitOverride()
  for (const [flags, description] of definition.options) {
    // A flag that is given several times collects its values; it never takes the arguments that follow.
    if (flags.includes('...')) command.option(flags.replace('...', ''), description, collectValues)
    else command.option(flags, description)
  }
  for (const [flags, description] of commonOptions) command.option(flags, description)
  command.action(async () => done(await runCommand(definition, command)))
}

function collectValues(value: string, before: string[] | undefined): string[] {
  return [...(before ?? []), value]
}

/** Rewrites `--scope a=b c=d` as `--scope a=b --scope c=d`: pairs that follow a pair belong to the same flag. */
function splitPairs(argv: readonly string[]): string[] {
  const pairs = new Set(['--scope', '--repair', '--input'])
  const apart: string[] = []
  let flag: string | null = null
  for (const [at, arg] of argv.entries()) {
    const isPair = /^[^-][^=]*=/.test(arg)
    if (flag !== null && isPair && argv[at - 1] !== flag) apart.push(flag)
    else if (!isPair) flag = pairs.has(arg) ? arg : null
    apart.push(arg)
  }
  return apart
}

async function runCommand(definition: CommandDefinition, command: Command): Promise<number> {
  const options = command.opts<Record<string, unknown>>()
  const terminal = createTerminal(options['json'] === true || definition.printsJson?.(options) === true)
  const opened: OrgApi[] = []
  try {
    const { requireValues } = await import('./require-values.ts')
    requireValues(definition, command)
    const { run } = await definition.load()
    return (
      (await run(
        callOf(command.processedArgs.flat() as (string | undefined)[], options, terminal, opened),
      )) ?? 0
    )
  } catch (error) {
    const { printFailure, UsageError } = await import('./fail.ts')
    if (!(error instanceof UsageError)) return await printFailure(error, terminal)
    terminal.note(`${error.message}\nusage: almanac ${definition.name} ${definition.usage}`.trim())
    return await usageError(error.message, terminal)
  } finally {
    for (const org of opened) await org.close()
  }
}

function callOf(
  args: (string | undefined)[],
  options: Record<string, unknown>,
  terminal: Terminal,
  opened: OrgApi[],
): Call {
  const orgPlace = placeOf(options)
  const keep = <T extends OrgApi>(org: T): T => {
    opened.push(org)
    return org
  }
  const openLocal = async (): Promise<LocalOrg> => {
    if (orgPlace !== null && isAddress(orgPlace)) {
      const { UsageError } = await import('./fail.ts')
      throw new UsageError(`This command requires an org folder, but ${orgPlace} is a URL.`)
    }
    const { openLocalOrg } = await import('./local-org.ts')
    const actor = options['as'] as string | undefined
    return keep(openLocalOrg(orgPlace ?? '.', { actor: actor ?? 'admin', isExplicit: actor !== undefined }))
  }
  let local: Promise<LocalOrg> | undefined
  const localOrg = (): Promise<LocalOrg> => (local ??= openLocal())
  const remoteOrg = async (): Promise<RemoteOrg | null> => {
    if (orgPlace === null || !isAddress(orgPlace)) return null
    const { openRemoteOrg } = await import('./remote-org.ts')
    return keep(openRemoteOrg(orgPlace, tokenOf(options)))
  }
  const org = async (): Promise<OrgApi> => (await remoteOrg()) ?? localOrg()
  return {
    args: args.filter((arg) => arg !== undefined),
    options,
    terminal,
    orgPlace,
    org,
    localOrg,
    remoteOrg,
  }
}

/** --org, then ALMANAC_ORG, then this folder if it contains an org. */
function placeOf(options: Record<string, unknown>): string | null {
  const named = (options['org'] as string | undefined) ?? process.env['ALMANAC_ORG']
  if (named !== undefined && named !== '') return named
  return existsSync(join('.', 'org.sqlite')) ? '.' : null
}

function tokenOf(options: Record<string, unknown>): string | undefined {
  return (options['token'] as string | undefined) ?? process.env['ALMANAC_TOKEN']
}

/** Prints the error envelope with --json; for people, the message has already been printed. */
async function usageError(message: string, terminal: Terminal): Promise<number> {
  await terminal.data({
    type: 'urn:almanac:problem:request.invalid',
    title: 'The command was not used correctly',
    status: 400,
    detail: message.replace(/^error: /, ''),
    class: 'validation',
    code: 'request.invalid',
    correlationId: null,
    retriable: false,
    origin: 'cli',
    details: [],
  })
  return usageExitCode
}
