// docs/reference/command-line.md: every verb of the command line, from server/cli/verbs.ts.
import type { Verb } from '../../server/cli/verb.ts'
import { commonOptions, verbs } from '../../server/cli/verbs.ts'
import { commandNotes, type CommandNote } from './command-notes.ts'
import { blocks, code, linkTo, plain, table } from './markdown.ts'

export function commandLinePage(): string {
  const unknown = Object.keys(commandNotes).filter((name) => verbs.every((verb) => verb.name !== name))
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
      verbs.map((verb) => [linkTo(headingOf(verb)), plain(verb.summary)]),
    ),
    ...verbs.map(section),
  )
}

const introduction = `# Command line

\`npx almanac <command>\` runs in a checkout of Almanac, and \`node <checkout>/server/bin.mjs <command>\` from every other folder.
\`almanac --help\` lists the commands, and \`almanac <command> --help\` the options of one. The examples on this page leave out \`npx\`.

A command works on an org: a folder, or the URL of a served org. \`--org\` names it, else \`ALMANAC_ORG\`, else the current folder if it
contains an org. With a folder, a command acts as the user \`admin\` or as the user in \`--as\`. With a URL, it acts as the user or client
of the token.

Results go to stdout, everything else to stderr. With \`--json\`, stdout has exactly one JSON document, even for a failure, whose document
has the members of [an error](errors.md).`

const afterOptions = `An option that can be repeated collects its values: \`--permission-set tax_reader --permission-set auditor\`. Pairs such as those of
\`--scope\`, \`--repair\` and \`--input\` can also follow one another: \`--scope environment=prod app=billing\`.

## Exit codes

| code | meaning |
| --- | --- |
| 0 | Done. |
| 1 | Failed, or there are findings with severity error. |
| 2 | Wrong usage: an unknown command or option, or a value that is not allowed. |
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

const headingOf = ({ name }: Verb): string => `almanac ${name}`

function optionsTable(options: Verb['options']): string {
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
  folder: 'Requires an org folder.',
  nothing: 'Does not need an org.',
  any: 'Works with a folder or a URL.',
}

function section(verb: Verb): string {
  const note: CommandNote | undefined = commandNotes[verb.name]
  if (note === undefined) throw new Error(`Add a note on "${verb.name}" to docs/build/command-notes.ts.`)
  const exits = note.exits === undefined ? '' : `Exit codes: ${note.exits}`
  return blocks(
    `## ${headingOf(verb)}`,
    plain(sentence(verb.summary)),
    `\`\`\`\n${`almanac ${verb.name} ${verb.usage}`.trim()}${verb.options.length > 0 ? ' [options]' : ''}\n\`\`\``,
    optionsTable(verb.options),
    [needs[note.needs ?? 'any'], exits].filter((part) => part !== '').join(' '),
    note.examples.length === 1 ? 'Example:' : 'Examples:',
    `\`\`\`\n${note.examples.join('\n')}\n\`\`\``,
  )
}
