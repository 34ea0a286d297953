// Commands that create, serve and change configuration.
import type { CommandDefinition } from '../command-definition.ts'
import { allChanges, changeList, generation, rationale } from './shared-options.ts'

export const configurationCommands: readonly CommandDefinition[] = [
  {
    name: 'init',
    usage: '[dir]',
    summary: 'create an org in a folder',
    options: [
      ['--name <name>', 'name of the org'],
      ['--environment <name>', 'name of the environment: dev, test, prod or any other'],
      ['--sample', 'include sample content: VAT rates, flags, an invoice'],
    ],
    writes: true,
    load: () => import('../commands/init.ts'),
  },
  {
    name: 'serve',
    usage: '',
    summary: 'serve an org and, with --studio, the studio',
    options: [
      ['--port <port>', 'port; default 4680, 0 for any free port'],
      ['--host <address>', 'address to listen on; default 127.0.0.1'],
      [
        '--studio',
        'also serve the studio: on loopback with a one-time link, on other addresses to users who sign in',
      ],
      ['--open', 'open the studio in the browser of this machine'],
      ['--sample', 'create the sample org if the folder does not contain an org'],
      ['--tls-cert <file>', 'PEM file of the certificate'],
      ['--tls-key <file>', 'PEM file of the private key'],
      ['--behind-proxy', 'a proxy in front of the server terminates TLS'],
      ['--public-host <name...>', 'additional host names of the server'],
      ['--public-url <url>', 'the URL that users open; required with --behind-proxy'],
      [
        '--allow-target <host...>',
        'allow remotes and targets of calls in the internal network: host names, addresses, networks such as 10.1.0.0/16',
      ],
      [
        '--otlp-endpoint <collector>',
        'export traces with OTLP over HTTP to this collector, such as http://localhost:4318; headers come from OTEL_EXPORTER_OTLP_HEADERS',
      ],
      ['--log', 'log requests to stderr, where unexpected errors are always logged'],
    ],
    writes: true,
    load: () => import('../commands/serve.ts'),
  },
  {
    name: 'retrieve',
    usage: '',
    summary: 'write the components of a generation to a directory',
    options: [['--out <dir>', 'the directory to write to'], generation],
    load: () => import('../commands/retrieve.ts'),
  },
  {
    name: 'diff',
    usage: '[dir]',
    summary:
      'show the changes in a directory or in the drafts, or between two generations; exits 3 if there are any',
    options: [
      ['--from <n>', 'the earlier generation'],
      ['--to <n>', 'the later generation; default the active one'],
      ...changeList,
      allChanges,
    ],
    load: () => import('../commands/diff.ts'),
  },
  {
    name: 'impact',
    usage: '[dir]',
    summary:
      'show what a directory or the drafts would change beyond themselves: values by day, flags, stored results and records',
    options: [['--limit <n>', 'items of each list; default 20'], ...changeList],
    load: () => import('../commands/impact.ts'),
  },
  {
    name: 'validate',
    usage: '[dir]',
    summary:
      'list all findings in a directory or in the drafts; without an org, the directory is checked on its own',
    options: [
      ...changeList,
      allChanges,
      [
        '--format <text|json|github|sarif>',
        'format of the findings: github writes annotations of a GitHub workflow, sarif writes SARIF 2.1.0; default text',
      ],
    ],
    load: () => import('../commands/validate.ts'),
    printsJson: ({ format }) => format === 'json',
  },
  {
    name: 'apply',
    usage: '[dir]',
    summary: 'apply a directory or the drafts in one transaction, as one generation',
    options: [
      ['--base <n>', 'the generation that your changes are based on'],
      [
        '--plan <plan>',
        'apply only this reviewed plan: the text that diff prints, or the file that diff --json wrote',
      ],
      ['--request <id>', 'apply an approved change request instead of a directory'],
      rationale,
      ...changeList,
      allChanges,
    ],
    writes: true,
    load: () => import('../commands/apply.ts'),
  },
]
