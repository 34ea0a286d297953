// Commands for change requests and approvals.
import type { CommandDefinition } from '../command-definition.ts'
import { allChanges, changeList, rationale } from './shared-options.ts'

export const requestsCommands: readonly CommandDefinition[] = [
  {
    name: 'request',
    usage: '[dir]',
    summary: 'submit a directory or the drafts as a change request for approval',
    options: [
      ['--title <text>', 'title; default the first line of the rationale'],
      rationale,
      ['--on <date>', 'date on which the approved change request is applied automatically'],
      ['--rollback <n>', 'restore the content of this generation, instead of a directory'],
      ['--revert <n>', 'undo the changes of this generation, instead of a directory'],
      ['--component <type/key...>', 'with --revert: undo only its changes to these components'],
      ['--without <type/key...>', 'with --revert: keep these components as they are now'],
      ['--base <n>', 'the generation that your changes are based on'],
      [
        '--plan <plan>',
        'submit only this reviewed plan: the text that diff prints, or the file that diff --json wrote',
      ],
      ...changeList,
    ],
    writes: true,
    load: () => import('../commands/request.ts'),
  },
  {
    name: 'requests',
    usage: '[action] [id]',
    summary: 'list the change requests, newest first; "requests show <id>" shows one with its changes',
    options: [
      [
        '--state <states>',
        'only these states, separated by commas: open, approved, failed, applied, rejected, withdrawn',
      ],
      ['--limit <n>', 'maximum number; default 20'],
      allChanges,
    ],
    load: () => import('../commands/requests.ts'),
  },
  {
    name: 'approve',
    usage: '<id>',
    summary: "approve another user's change request, by its digest",
    options: [
      ['--digest <digest>', 'the digest that you reviewed'],
      ['--comment <text>', 'comment, recorded with the approval'],
    ],
    writes: true,
    load: () => import('../commands/approve.ts'),
  },
  {
    name: 'reject',
    usage: '<id>',
    summary: 'reject a change request',
    options: [['--reason <text>', 'the reason, recorded in its history']],
    writes: true,
    load: () => import('../commands/reject.ts'),
  },
  {
    name: 'withdraw',
    usage: '<id>',
    summary: 'withdraw your own change request',
    options: [['--reason <text>', 'the reason, recorded in its history']],
    writes: true,
    load: () => import('../commands/withdraw.ts'),
  },
  {
    name: 'comment',
    usage: '<id> <text>',
    summary: 'comment on a change request',
    options: [],
    takesText: true,
    writes: true,
    load: () => import('../commands/comment.ts'),
  },
  {
    name: 'schedule',
    usage: '<id> <date|none>',
    summary: 'set the date on which a change request is applied automatically; "none" removes it',
    options: [],
    writes: true,
    load: () => import('../commands/schedule.ts'),
  },
  {
    name: 'approvals',
    usage: '[number]',
    summary: 'show how many approvals the org requires before an apply; with a number, change it',
    options: [],
    writes: true,
    load: () => import('../commands/approvals.ts'),
  },
  {
    name: 'budget',
    usage: '[size]',
    summary: 'show the size limit for the slices of a generation; with a size such as 128MiB, change it',
    options: [],
    writes: true,
    load: () => import('../commands/budget.ts'),
  },
]
