// docs/reference/command-line.md: every command of the command line, from server/cli/commands.ts.
import type { CommandDefinition } from '../../server/cli/command-definition.ts'
import { commonOptions, commands } from '../../server/cli/commands.ts'
import { commandNotes, type CommandNote } from './command-notes.ts'
import { blocks, code, linkTo, plain, table } from './markdown.ts'

export function commandLinePage(): string {
  const unknown = Object.keys(commandNotes).filter((name) =>
    commands.every((command) => command.name !== name),
  )
  if (unknown.length > 0)
    throw new Error(`docs/build/command-notes.ts has notes on ${unknown.join(', ')}, which do not exist.`)
  return blocks(
    introduction,
    '## Options of every command',
    optionsTable(commonOptions),
    afterOptions,
    '## Commands',
    table(
      ['command', 'what it does'],
      commands.map((command) => [linkTo(headingOf(command)), plain(command.summary)]),
    ),
    ...commands.map(section),
  )
}

const introduction = `# Command line

\`npx almanac <command>\` runs in a checkout of Almanac, and \`node <checkout>/server/bin.mjs <command>\` from any other folder.
\`almanac --help\` lists the commands, and \`almanac <command> --help\` the options of one. The examples on this page leave out \`npx\`.

A command works on an org: a folder, or the URL of a served org. \`--org\` names it, else \`ALMANAC_ORG\`, else the current folder if it
contains an org. On a folder, a command acts as the user \`admin\` or as the user in \`--as\`. With a URL, it acts as the user or client
of the token.

Results go to stdout, everything else to stderr. With \`--json\`, stdout contains exactly one JSON document. If the command fails, this is
[an error](errors.md).`

const afterOptions = `An option that can be repeated collects its values: \`--permission-set tax_reader --permission-set auditor\`. Pairs such as those of
\`--scope\`, \`--repair\` and \`--input\` can also follow one another: \`--scope environment=prod app=billing\`.

## Exit codes

| code | meaning |
| --- | --- |
| 0 | Done. |
| 1 | Failed, or there are findings with severity error. |
| 2 | Usage error: an unknown command or option, or an invalid value. |
| 3 | There are differences (\`diff\`, \`compare\`, \`rollback --dry-run\`, \`revert --dry-run\`). |

## Environment variables

| variable | meaning |
| --- | --- |
| \`ALMANAC_ORG\` | The org, if \`--org\` is not given. \`npm start\` opens it too. |
| \`ALMANAC_TOKEN\` | The bearer token for a URL, if \`--token\` is not given. |
| \`ALMANAC_PORT\` | The port of the studio that \`npm start\` opens in a browser. By default, any free port. |
| \`GITHUB_WORKSPACE\` | Paths in \`validate --format github\` and \`sarif\` are relative to this folder. By default, to the current folder. |
| \`XDG_CONFIG_HOME\` | Contains \`almanac/remotes.json\`, the pinned lineages of URLs. By default \`~/.config\`. |
| \`XDG_DATA_HOME\` | Contains the sample org of \`npm start\`. By default \`~/.local/share\`. |
| \`NO_COLOR\`, \`FORCE_COLOR\` | Turns colours off or on. By default, they are on if stdout is a terminal. |`

const headingOf = ({ name }: CommandDefinition): string => `almanac ${name}`

function optionsTable(options: CommandDefinition['options']): string {
  return table(
    ['option', 'meaning'],
    options.map(([flags, help]) => [
      code(flags.replace('...', '')) + (flags.includes('...') ? ', repeatable' : ''),
      plain(sentence(help)),
    ]),
  )
}

const sentence = (text: string): string => `${text.charAt(0).toUpperCase()}${text.slice(1)}.`

const needs: Readonly<Record<'folder' | 'nothing' | 'any', string>> = {
  folder: 'Needs a local org folder.',
  nothing: 'Needs no org.',
  any: 'Works with a folder or a URL.',
}

function section(command: CommandDefinition): string {
  const note: CommandNote | undefined = commandNotes[command.name]
  if (note === undefined) throw new Error(`Add a note on "${command.name}" to docs/build/command-notes.ts.`)
  const exits = note.exits === undefined ? '' : `Exit codes: ${note.exits}`
  return blocks(
    `## ${headingOf(command)}`,
    plain(sentence(command.summary)),
    `\`\`\`\n${`almanac ${command.name} ${command.usage}`.trim()}${command.options.length > 0 ? ' [options]' : ''}\n\`\`\``,
    optionsTable(command.options),
    [needs[note.needs ?? 'any'], exits].filter((part) => part !== '').join(' '),
    note.examples.length === 1 ? 'Example:' : 'Examples:',
    `\`\`\`\n${note.examples.join('\n')}\n\`\`\``,
  )
}
