// Commands between this org and remotes.
import type { CommandDefinition } from '../command-definition.ts'
import { allChanges, rationale } from './shared-options.ts'

export const remotesCommands: readonly CommandDefinition[] = [
  {
    name: 'push',
    usage: '[dir]',
    summary: 'apply a directory, or the differences of this org, to a remote, which validates them first',
    options: [
      ['--remote <key or url>', 'key of a remote of this org, or a URL'],
      ['--pin', 'with a URL: trust the org that is there now'],
      ['--prune', 'also remove components that are not in the directory'],
      ['--pick <type/key...>', 'without a directory: push only these components and their dependencies'],
      ['--drafts', 'without a directory: include your own drafts'],
      ['--confirm <name>', 'name of the remote org; required if it is production'],
      ['--title <text>', 'title of the change request, if the remote requires approvals'],
      rationale,
      allChanges,
    ],
    writes: true,
    load: () => import('../commands/push.ts'),
  },
  {
    name: 'compare',
    usage: '',
    summary: 'compare this org with a remote, as last seen and as it is now; exits 3 if they differ',
    options: [
      ['--remote <key>', 'key of the remote'],
      ['--drafts', 'include your own drafts'],
      ['--all', 'show all rows'],
    ],
    writes: true,
    load: () => import('../commands/compare.ts'),
  },
  {
    name: 'remote add',
    usage: '<key>',
    summary: 'add another org to deploy to, and pin its lineage',
    options: [
      ['--url <url>', 'URL of the org'],
      ['--name <name>', 'display name'],
      ['--colour <grey|blue|green|amber|red|violet>', 'colour in the studio; default grey'],
      ['--client <key>', 'client to authenticate as, with its secret'],
      ['--user <key>', 'user to authenticate as, with their password, which is exchanged for a token'],
      ['--secret-stdin', 'read the secret, password or token from stdin instead of the terminal'],
    ],
    writes: true,
    load: () => import('../commands/remote-add.ts'),
  },
  {
    name: 'remote list',
    usage: '',
    summary: 'list the remotes and the result of the last contact',
    options: [],
    load: () => import('../commands/remote-list.ts'),
  },
  {
    name: 'remote test',
    usage: '<key>',
    summary: 'test the connection to a remote',
    options: [],
    writes: true,
    load: () => import('../commands/remote-test.ts'),
  },
  {
    name: 'remote pin',
    usage: '<key>',
    summary: 'trust the org that is now at the URL of a remote',
    options: [['--lineage <uuid>', 'the lineage that you expect']],
    writes: true,
    load: () => import('../commands/remote-pin.ts'),
  },
  {
    name: 'remote remove',
    usage: '<key>',
    summary: 'remove a remote and its secret',
    options: [],
    writes: true,
    load: () => import('../commands/remote-remove.ts'),
  },
]
